import { isSecretKey } from './secret-key.ts'

/** What stands in the place of a hidden value. */
export const REDACTED = '[redacted]'

const LONGEST_SHOWN = 8_192
const LONGEST_SEARCHED = 65_536
const LONGEST_PART = 1_024

const userInfo = new RegExp(`://[^\\s/?#"<>]{1,${LONGEST_PART}}@`, 'g')
// Passwords with an unescaped slash or hash are wrong and common; a port before a path is neither.
// Short bounds: this one may be tried again at every `://` of a hostile text.
const brokenUserInfo = /:\/\/[^\s/?#@:"<>[]{0,64}:(?!\d{1,5}[/?#])[^\s@"<>]{1,128}@/g
const queryPair = /([?&])([\w.[\]-]{1,128})=([^&\s#"<>]+)/g

/**
 * The text without user info of URLs and without the values of secret query parameters, cut after
 * 8,192 characters.
 */
export function maskText(text: string): string {
  if (text.length <= LONGEST_SEARCHED) return shorten(mask(text), 0)
  const searched = mask(text.slice(0, LONGEST_SEARCHED))
  // A URL may have been cut in two at the end, where its secret is no longer recognised.
  const sure = searched.slice(0, -2 * LONGEST_PART)
  return shorten(sure, text.length - LONGEST_SEARCHED + 2 * LONGEST_PART)
}

function mask(text: string): string {
  let masked = text
  if (masked.includes('://')) {
    masked = masked
      .replaceAll(userInfo, `://${REDACTED}@`)
      .replaceAll(brokenUserInfo, `://${REDACTED}@`)
  }
  if (!masked.includes('=')) return masked
  return masked.replaceAll(queryPair, (pair, before: string, key: string) =>
    isSecretKey(key) ? `${before}${key}=${REDACTED}` : pair,
  )
}

function shorten(text: string, missing: number): string {
  const more = missing + Math.max(0, text.length - LONGEST_SHOWN)
  return more === 0 ? text : `${text.slice(0, LONGEST_SHOWN)}… (${more} more characters)`
}
