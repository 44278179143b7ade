import { domainToUnicode } from 'node:url'
import { asciiDomain, isLocalPart } from '../mail/address.ts'

/** The longest address that SMTP can carry. */
const maxEmailLength = 254

/** In code units, before normalization, whose cost grows with the length and which may shorten a text. */
const maxTextLength = 4 * maxEmailLength

/** Control characters, unpaired surrogates and invisible characters. */
const unfit = /[\p{Cc}\p{Cf}\p{Cs}]/u

const ascii = /\p{ASCII}/u

/**
 * The form in which an e-mail is looked up, stored and compared: trimmed, in lower case, in Unicode
 * NFC, with an ASCII domain. Null for a text that cannot be an e-mail.
 */
export function normalEmail(text: string): string | null {
  const trimmed = text.trim()
  if (trimmed.length > maxTextLength || unfit.test(trimmed) || hasDisguise(trimmed)) return null
  const email = withAsciiDomain(trimmed.normalize('NFC').toLowerCase().normalize('NFC'))
  return email === null || email === '' || email.length > maxEmailLength ? null : email
}

/**
 * Whether an account may have this e-mail: the mailer must be able to deliver to it. The domain may
 * use any script and must contain a dot. The local part must be ASCII: few mail servers accept
 * anything else, and an account that receives no mail cannot be recovered.
 */
export function isEmailAddress(text: string): boolean {
  const email = normalEmail(text)
  if (email === null || !/^\p{ASCII}+$/u.test(email)) return false
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  return isLocalPart(email.slice(0, at)) && domain.includes('.') && asciiDomain(domain) === domain
}

/** A stored e-mail for display, with its domain in Unicode instead of Punycode. */
export function displayEmail(email: string): string {
  if (!email.includes('xn--')) return email
  const at = email.lastIndexOf('@')
  const domain = domainToUnicode(email.slice(at + 1))
  return domain === '' ? email : email.slice(0, at + 1) + domain
}

// Mail servers need ASCII domains. A domain that is ASCII already is not touched.
function withAsciiDomain(email: string): string | null {
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at)
  if (at === 0 || /^\p{ASCII}*$/u.test(domain)) return email
  const mapped = asciiDomain(domain)
  return mapped === null ? null : email.slice(0, at) + mapped
}

// The Kelvin sign lower-cases to k: two mailboxes would share one account, and mail for its owner
// would go to someone else.
function hasDisguise(text: string): boolean {
  for (const letter of text) {
    if (ascii.test(letter)) continue
    if (ascii.test(letter.normalize('NFC').toLowerCase())) return true
  }
  return false
}
