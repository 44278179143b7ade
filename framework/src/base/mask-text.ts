import { detached } from './encoding/detached.ts'
import { maskNamed, REDACTED } from './mask-named.ts'

export { REDACTED }

const maxShownLength = 8_192
const maxSearchedLength = 65_536
const maxPartLength = 1_024

const userInfo = new RegExp(`://[^\\s/?#"<>]{1,${maxPartLength}}@`, 'g')
// Passwords with an unescaped slash or hash are invalid but common; a port before a path is not one.
// Short bounds: a hostile text can make this pattern run again at every `://`.
const brokenUserInfo = /:\/\/[^\s/?#@:"<>[]{0,64}:(?!\d{1,5}[/?#])[^\s@"<>]{1,128}@/g
// Most texts contain none of these, and one test is enough.
const suspicious = /[=:]|bearer|basic/i
// Our own tokens in a link, a cookie or a Referer: the secret half is redacted.
const ownToken = /(?<![\da-f])([\da-f]{16}(?:[./]|%2[ef]))[\da-f]{64}(?![\da-f])/gi
const minTokenLength = 81
// Begins with a rare character, so that texts without a token are searched ten times as fast.
const tokenEnd = /(?:[./]|%2[ef])[\da-f]{64}/i
const bearer = /\b(bearer|basic)\s{1,9}[\w.~+/=-]{6,}/gi

/**
 * Redacts user info in URLs, values behind a secret name in whatever way both are written, credentials in
 * headers, and the secret half of our own tokens; cuts after 8,192 characters.
 */
export function maskText(text: string): string {
  return masked(text, false)
}

/** The same for a line of source code, where only texts in quotes are values. */
export function maskSource(line: string): string {
  return masked(line, true)
}

function masked(text: string, isSource: boolean): string {
  if (text.length <= maxSearchedLength) return shorten(mask(text, isSource), 0)
  const searched = mask(text.slice(0, maxSearchedLength), isSource)
  // A URL may have been cut in two at the end, where its secret would not be recognised.
  const sure = searched.slice(0, -2 * maxPartLength)
  return shorten(sure, text.length - maxSearchedLength + 2 * maxPartLength)
}

function mask(text: string, isSource: boolean): string {
  const hasToken = text.length >= minTokenLength && tokenEnd.test(text)
  let shown = hasToken ? text.replaceAll(ownToken, `$1${REDACTED}`) : text
  if (!suspicious.test(shown)) return shown
  if (shown.includes('://')) {
    shown = shown
      .replaceAll(userInfo, `://${REDACTED}@`)
      .replaceAll(brokenUserInfo, `://${REDACTED}@`)
  }
  return maskNamed(shown, isSource).replaceAll(bearer, `$1 ${REDACTED}`)
}

function shorten(text: string, missing: number): string {
  const more = missing + Math.max(0, text.length - maxShownLength)
  return more === 0 ? text : detached(`${text.slice(0, maxShownLength)}… (${more} more characters)`)
}
