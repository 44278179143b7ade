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

/**
 * The header lines of a complete response, without those the engine adds itself. Names and values must
 * already be validated.
 */
export function headerBlock(headers: readonly string[]): string {
  let lines = ''
  for (let at = 0; at < headers.length; at += 2) {
    lines += headerLine(headers[at] ?? '', headers[at + 1] ?? '')
  }
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
