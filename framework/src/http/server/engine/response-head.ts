import { statusText } from './node-http.ts'

const statusLines: string[] = []

/** The status line of a response. */
export function statusLine(status: number): string {
  const known = statusLines[status]
  if (known !== undefined) return known
  const line = `HTTP/1.1 ${status} ${statusText(status)}\r\n`
  statusLines[status] = line
  return line
}

/** Whether responses with that status never have a body. */
export function hasNoBody(status: number): boolean {
  return status === 204 || status === 304 || status < 200
}

let date = ''

/** The `Date` header line of this second. */
export function dateLine(): string {
  if (date !== '') return date
  const now = new Date()
  date = `Date: ${now.toUTCString()}\r\n`
  setTimeout(forgetDate, 1000 - now.getMilliseconds()).unref()
  return date
}

function forgetDate(): void {
  date = ''
}

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

interface Remembered {
  readonly value: string
  readonly line: string
}

/** The last line of each name: most responses repeat the same values. */
const remembered = new Map<string, Remembered>()
const rememberedNames = 100
const rememberedLength = 200

/**
 * A header line of a complete response; empty for headers the engine sets itself. Name and value must
 * already be validated.
 */
export function headerLine(name: string, value: string): string {
  const last = remembered.get(name)
  if (last !== undefined && last.value === value) return last.line
  const line = isOwnedByEngine(name) ? '' : `${name}: ${value}\r\n`
  if (mayBeKept(name, value) && (last !== undefined || remembered.size < rememberedNames)) {
    remembered.set(name, { value, line })
  }
  return line
}

/** Headers that the engine sets itself; a second one could contradict it. */
const ownedByEngine = new Set(['connection', 'content-length', 'date', 'transfer-encoding'])

/** Whether the engine sets that header itself. */
export function isOwnedByEngine(name: string): boolean {
  return ownedByEngine.has(name.toLowerCase())
}

// Long values rarely repeat, and cookies are secrets.
function mayBeKept(name: string, value: string): boolean {
  return value.length <= rememberedLength && name.toLowerCase() !== 'set-cookie'
}
