import { RecentTexts } from './encoding/recent-texts.ts'

// Matched anywhere in the key: none of these is part of an everyday word.
const anywhere = /passw(?:or)?d|passphrase|secret|token|authorization|cookie|csrf|credential/i
// The secret halves of our one-time links, short names for passwords, and what other sites call theirs:
// the `code` of a sign-in elsewhere or of a second factor, session ids, signed tokens. And the signature of
// a signed address, ours or another's.
const whole =
  /^(?:verifier|validator|pass|pwd|(?:(?:auth|otp|sms|totp|recovery|verification)[-_]?)?code|session[-_]?id|(?:x-amz-)?signature|(?:.*[-_.])?(?:sid|jwt)|x[-_]auth(?:[-_].*)?)$/i
// "key" matches anywhere except in these everyday words.
const everyday =
  /donkey|hockey|hotkey|jockey|keyboard|keyframe|keyhole|keynote|keystone|keyword|monkey|turkey|whiskey/gi

/** In every text with a secret key, unless the key is percent-encoded: then there is the sign for it. */
export const secretHint: RegExp =
  /pass|pwd|secret|token|auth|cookie|csrf|credential|key|code|verifier|validator|session|signature|sid|jwt|%/i

const maxRememberedLength = 64
const remembered = new RecentTexts<boolean>(1_000)

/** Whether the value under this key (field, header, column, variable) must never be shown. */
export function isSecretKey(key: string): boolean {
  return key.length > maxRememberedLength ? namesSecret(key) : remembered.getOr(key, namesSecret)
}

function namesSecret(key: string): boolean {
  return anywhere.test(key) || whole.test(key) || /key/i.test(key.replaceAll(everyday, ''))
}

// Names such as ENOENT, E_CURSOR and ER_DUP_ENTRY.
const errorName = /^(?:E[A-Z]+|[A-Z][A-Z\d]*(?:_[A-Z\d]+)+)$/

/**
 * Whether a value under this key must never be shown. The `code` of an error or of a process may be: it
 * says what went wrong, and opens nothing.
 */
export function isSecret(key: string, value: unknown): boolean {
  if (!isSecretKey(key)) return false
  if (key !== 'code') return true
  if (typeof value === 'number') return Math.abs(value) > 999
  return typeof value === 'string' ? !errorName.test(value) : (value ?? null) !== null
}
