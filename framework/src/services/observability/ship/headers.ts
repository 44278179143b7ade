import { InvalidArgumentException } from '../../../base/errors.ts'

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** Those that describe the body or the connection are the shipper's own. */
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

/** Names in lower case, and values as they go over the wire. */
export type HeaderValues = ReadonlyMap<string, string>

/**
 * Headers that can be sent. Of two names that differ only in case the later one counts.
 * @throws InvalidArgumentException that shows no value.
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): HeaderValues {
  const checked = new Map<string, string>()
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase()
    // Not even the name is shown: what is no name may be a value at the wrong place.
    if (!token.test(name)) throw refuse('a header has a name that cannot be sent')
    if (reserved.has(name)) throw refuse(`the header ${name} is set by the shipper itself`)
    // Spaces at the ends do not survive the wire.
    const text = typeof value === 'string' ? value.trim() : '\n'
    if (!fieldValue.test(text)) {
      throw refuse(`the header ${name} has a value with line breaks or other than Latin-1`)
    }
    checked.set(name, text)
  }
  return checked
}

/**
 * Reads `name=value,name2=value2` with URL-encoded parts, as OTEL_EXPORTER_OTLP_HEADERS has them.
 * Undefined when that is not what it is, or when a header cannot be sent.
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

function refuse(what: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', `${what}; mend or remove it`)
}
