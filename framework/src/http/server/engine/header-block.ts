import { headerLine, mayBeKept } from './header-line.ts'

/** The header lines of a response up to one header, and the header that followed most recently. */
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
 * A chain of the headers of earlier responses: most responses repeat them, and then the whole block is
 * already available as one string.
 */
const first = new Block('', '', '')

/** Bounds the length of the chain. */
const maxBlockLength = 4000

/**
 * The header lines of a complete response, without those the engine adds itself. Names and values must
 * already be validated.
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

// The response differs from earlier ones: the chain is extended by one header per response.
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
