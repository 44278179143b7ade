import { detached } from './encoding/detached.ts'
import { isSecret, isSecretKey } from './is-secret-key.ts'

/** Replaces a secret value. */
export const REDACTED = '[redacted]'

const maxShownLength = 8_192
const maxSearchedLength = 65_536
const maxPartLength = 1_024

const userInfo = new RegExp(`://[^\\s/?#"<>]{1,${maxPartLength}}@`, 'g')
// Passwords with an unescaped slash or hash are invalid but common; a port before a path is not one.
// Short bounds: a hostile text can make this pattern run again at every `://`.
const brokenUserInfo = /:\/\/[^\s/?#@:"<>[]{0,64}:(?!\d{1,5}[/?#])[^\s@"<>]{1,128}@/g
// A pair in a query, a fragment, a form or plain text. It starts at the beginning of a run of name
// characters, so that a long run is scanned once.
const pairName = /(?<![\w.[\]%-])([\w.[\]%-]{1,128})=/g
const pairValue = /[^&\s#"<>]+/y
const jsonPair = /"([\w.-]{1,128})"(\s{0,9}:\s{0,9})"((?:[^"\\]|\\.){0,4096})"/g
const headerLine =
  /\b(authorization|(?:set-)?cookie|x-(?:api-key|csrf-token|access-token|auth(?:-[a-z]{1,16})?))(\s{0,9}:\s{0,9})[^\r\n]{1,4096}/gi
// Most texts contain none of these, and one test is enough.
const suspicious = /[=:]|bearer|basic/i
// Our own tokens in a link, a cookie or a Referer: the secret half is redacted.
const ownToken = /(?<![\da-f])([\da-f]{16}(?:[./]|%2[ef]))[\da-f]{64}(?![\da-f])/gi
const minTokenLength = 81
// Begins with a rare character, so that texts without a token are searched ten times as fast.
const tokenEnd = /(?:[./]|%2[ef])[\da-f]{64}/i
const bearer = /\b(bearer|basic)\s{1,9}[\w.~+/=-]{6,}/gi

/**
 * Redacts user info in URLs, values of `name=value` pairs and JSON fields with a secret name,
 * credentials in headers, and the secret half of our own tokens; cuts after 8,192 characters.
 */
export function maskText(text: string): string {
  if (text.length <= maxSearchedLength) return shorten(mask(text), 0)
  const searched = mask(text.slice(0, maxSearchedLength))
  // A URL may have been cut in two at the end, where its secret would not be recognised.
  const sure = searched.slice(0, -2 * maxPartLength)
  return shorten(sure, text.length - maxSearchedLength + 2 * maxPartLength)
}

function mask(text: string): string {
  const hasToken = text.length >= minTokenLength && tokenEnd.test(text)
  let masked = hasToken ? text.replaceAll(ownToken, `$1${REDACTED}`) : text
  if (!suspicious.test(masked)) return masked
  if (masked.includes('://')) {
    masked = masked
      .replaceAll(userInfo, `://${REDACTED}@`)
      .replaceAll(brokenUserInfo, `://${REDACTED}@`)
  }
  if (masked.includes(':')) {
    masked = masked
      .replaceAll(headerLine, `$1$2${REDACTED}`)
      .replaceAll(jsonPair, (found, key: string, colon: string, value: string) =>
        isSecret(key, value) ? `"${key}"${colon}"${REDACTED}"` : found,
      )
  }
  masked = masked.replaceAll(bearer, `$1 ${REDACTED}`)
  if (!masked.includes('=')) return masked
  return maskPairs(masked)
}

function maskPairs(text: string): string {
  let masked = ''
  let done = 0
  for (const { 0: found, 1: name = '', index } of text.matchAll(pairName)) {
    const start = index + found.length
    if (index < done || !isSecretKey(decoded(name))) continue
    pairValue.lastIndex = start
    const value = pairValue.exec(text)?.[0] ?? ''
    if (value === '' || (!isInQuery(text, index) && !isSecret(decoded(name), value))) continue
    masked += text.slice(done, start) + REDACTED
    done = start + value.length
  }
  return masked + text.slice(done)
}

// There a `code` always comes from outside; elsewhere it may be that of an error.
function isInQuery(text: string, index: number): boolean {
  return text[index - 1] === '?' || text[index - 1] === '&'
}

function decoded(key: string): string {
  if (!key.includes('%')) return key
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

function shorten(text: string, missing: number): string {
  const more = missing + Math.max(0, text.length - maxShownLength)
  return more === 0 ? text : detached(`${text.slice(0, maxShownLength)}… (${more} more characters)`)
}
