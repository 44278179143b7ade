import { InvalidArgumentException } from '../base/errors.ts'

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** Headers of the body or the connection, which the shipper sets itself. */
const reserved = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Header values by lower-case name. */
export type HeaderValues = ReadonlyMap<string, string>

/**
 * Validates headers. Of two names that differ only in case, the later one is used.
 * @throws InvalidArgumentException that does not show any value.
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): HeaderValues {
  const checked = new Map<string, string>()
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase()
    // Not even the name is shown: it may be a misplaced value.
    if (!token.test(name)) throw invalidHeader('a header has an invalid name')
    if (reserved.has(name)) throw invalidHeader(`the header ${name} is set by the shipper itself`)
    // HTTP ignores spaces at both ends.
    const text = typeof value === 'string' ? value.trim() : '\n'
    if (!fieldValue.test(text)) {
      throw invalidHeader(`the value of the header ${name} has line breaks or is not Latin-1`)
    }
    checked.set(name, text)
  }
  return checked
}

/**
 * Parses `name=value,name2=value2` with URL-encoded parts, the format of OTEL_EXPORTER_OTLP_HEADERS.
 * Undefined when the text or a header is invalid.
 */
export function parseHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const pairs: [string, string][] = []
  for (const entry of text.split(',')) {
    if (entry.trim() === '') continue
    const pair = parsePair(entry)
    if (pair === undefined) return undefined
    pairs.push(pair)
  }
  const headers = Object.fromEntries(pairs)
  try {
    checkHeaders(headers)
    return headers
  } catch {
    return undefined
  }
}

function parsePair(entry: string): [string, string] | undefined {
  const sign = entry.indexOf('=')
  if (sign === -1) return undefined
  try {
    const name = decodeURIComponent(entry.slice(0, sign).trim())
    return [name, decodeURIComponent(entry.slice(sign + 1).trim())]
  } catch {
    return undefined
  }
}

function invalidHeader(problem: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', `${problem}; fix or remove it`)
}
