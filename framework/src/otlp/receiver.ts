import { printable } from '../base/encoding/printable.ts'
import { decoded } from '../base/mask-named.ts'
import { InvalidArgumentException } from '../base/errors.ts'
import { REDACTED, maskText } from '../base/mask-text.ts'

/** A collector: its URL and headers, and the secrets in them. */
export interface Receiver {
  /** Without user info, which `fetch` rejects. */
  readonly url: URL
  /** The URL for messages: without user info and query. */
  readonly label: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Makes a text from elsewhere safe to show: one short line without secrets. */
  redact(text: string): string
}

/** Shorter texts are not secrets, and redacting them would only garble the message. */
const minSecretLength = 3
const maxShownLength = 300

/**
 * The collector at an endpoint: `path` is appended to that of the endpoint, and its user info becomes
 * an `Authorization` header unless one is given.
 * @throws InvalidArgumentException for an invalid URL, without showing it.
 */
export function receiverAt(
  endpoint: string,
  given: Readonly<Record<string, string>> = {},
  path = '/v1/metrics',
): Receiver {
  const url = parseEndpoint(endpoint)
  const user = decoded(url.username)
  const password = decoded(url.password)
  const known = [url.username, url.password, user, password, ...url.searchParams.values()]
  url.username = ''
  url.password = ''
  url.hash = ''
  if (path !== '') url.pathname = url.pathname.replace(/\/+$/, '') + path
  const headers = new Map(checkHeaders(given))
  if (user + password !== '' && !headers.has('authorization')) {
    headers.set('authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
  }
  const secrets = secretTexts([...known, ...headers.values()])
  return {
    url,
    label: url.origin + url.pathname,
    headers: [...headers],
    redact: (text) => redactTexts(text, secrets),
  }
}

function parseEndpoint(endpoint: string): URL {
  const url = URL.parse(endpoint)
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    'the endpoint must be a URL that starts with http:// or https://; ' +
      `got a text of ${endpoint.length} characters`,
  )
}

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

/**
 * Validates headers. The map has lower-case names. Of two names that differ only in case, the later one is used.
 * @throws InvalidArgumentException that does not show any value.
 */
export function checkHeaders(
  headers: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
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

function invalidHeader(problem: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', `${problem}; fix or remove it`)
}

/** The texts and their words (`Bearer abc` and `abc`) in all encodings, longest first. */
function secretTexts(texts: readonly string[]): readonly string[] {
  const parts = texts.flatMap((text) => [text, ...text.split(/\s+/)]).flatMap(encodings)
  return [...new Set(parts)].toSorted((one, other) => other.length - one.length)
}

/** How a text may be quoted: raw, in JSON or in a URL. */
function encodings(text: string): string[] {
  if (text.length < minSecretLength) return []
  return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)]
}

function redactTexts(text: string, secrets: readonly string[]): string {
  let shown = text
  for (const secret of secrets) shown = shown.replaceAll(secret, REDACTED)
  const line = printable(maskText(shown)).replaceAll(/\s+/g, ' ').trim()
  return line.length > maxShownLength ? `${line.slice(0, maxShownLength)}…` : line
}
