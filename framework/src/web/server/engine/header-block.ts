import { headerLine, mayBeKept } from './header-line.ts'

/** The header lines of an answer up to and with one header, and the header that came next lately. */
class Block {
  readonly lines: string
  readonly name: string
  readonly value: string
  next: Block | null = null

  constructor(lines: string, name: string, value: string) {
    this.lines = lines
    this.name = name
    this.value = value
  }
}

/**
 * The headers of the answers before, as a chain: most answers repeat them one by one, and then the
 * whole block is there already, as one string.
 */
const first = new Block('', '', '')

/** No more than this is kept of an answer, so that the chain stays small. */
const maxBlockLength = 4000

/**
 * Headers, names and values in turn, as they stand in the head of a whole answer, without those the
 * engine adds itself. Names and values have been checked by then.
 */
export function headerBlock(headers: readonly string[]): string {
  let block = first
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    const value = headers[at + 1] ?? ''
    const { next } = block
    if (next !== null && next.name === name && next.value === value) block = next
    else return departure(block, name, value) + linesFrom(headers, at + 2)
  }
  return block.lines
}

// The answer differs from those before: the chain learns one header of it, the next time one more.
function departure(block: Block, name: string, value: string): string {
  const lines = block.lines + headerLine(name, value)
  if (lines.length <= maxBlockLength && mayBeKept(name, value))
    block.next = new Block(lines, name, value)
  return lines
}

function linesFrom(headers: readonly string[], start: number): string {
  let lines = ''
  for (let at = start; at < headers.length; at += 2)
    lines += headerLine(headers[at] ?? '', headers[at + 1] ?? '')
  return lines
}
