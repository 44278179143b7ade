import { printable } from '../../../base/encoding/printable.ts'
import { InvalidArgumentException } from '../../../base/errors.ts'
import { REDACTED, maskText } from '../../../base/mask-text.ts'
import { checkHeaders } from './headers.ts'

/** Where metrics are posted to, and what must not be told about it. */
export interface Receiver {
  /** Without user info, which `fetch` refuses. */
  readonly url: URL
  /** The address as people may see it: without user info and query. */
  readonly shown: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** A text from elsewhere, fit to be shown: one short line that holds nothing secret. */
  conceal(text: string): string
}

/** Shorter texts are no secrets, and hiding them would only garble what is shown. */
const leastSecret = 3
const maxShownLength = 300

/**
 * The collector at an endpoint: `/v1/metrics` is added to its path, and its user info becomes an
 * `Authorization` header unless one is given.
 * @throws InvalidArgumentException for what is no address, without showing it.
 */
export function receiverAt(
  endpoint: string,
  given: Readonly<Record<string, string>> = {},
): Receiver {
  const url = parseEndpoint(endpoint)
  const user = decode(url.username)
  const password = decode(url.password)
  const known = [url.username, url.password, user, password, ...url.searchParams.values()]
  url.username = ''
  url.password = ''
  url.hash = ''
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/metrics`
  const headers = new Map(checkHeaders(given))
  if (user + password !== '' && !headers.has('authorization')) {
    headers.set('authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
  }
  const secrets = secretTexts([...known, ...headers.values()])
  return {
    url,
    shown: url.origin + url.pathname,
    headers: [...headers],
    conceal: (text) => concealTexts(text, secrets),
  }
}

function parseEndpoint(endpoint: string): URL {
  const url = URL.parse(endpoint)
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    'the endpoint must be a URL that begins with http:// or https://; ' +
      `got a text of ${endpoint.length} characters`,
  )
}

/** User info as it was before somebody encoded it, or as it is when nobody did. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The texts and their words (of `Bearer abc` the `abc` too) in every spelling, longest first. */
function secretTexts(texts: readonly string[]): readonly string[] {
  const parts = texts.flatMap((text) => [text, ...text.split(/\s+/)]).flatMap(spellings)
  return [...new Set(parts)].toSorted((one, other) => other.length - one.length)
}

/** How a text may come back: as it is, in JSON or in a URL. */
function spellings(text: string): string[] {
  if (text.length < leastSecret) return []
  return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)]
}

function concealTexts(text: string, secrets: readonly string[]): string {
  let shown = text
  for (const secret of secrets) shown = shown.replaceAll(secret, REDACTED)
  const line = printable(maskText(shown)).replaceAll(/\s+/g, ' ').trim()
  return line.length > maxShownLength ? `${line.slice(0, maxShownLength)}…` : line
}
