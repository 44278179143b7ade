import { asciiDomain } from '../../../services/mail/address.ts'

/** Longest e-mail in characters: what a path of SMTP can carry. */
const maxEmailLength = 254

/** Control characters, unpaired halves of characters, and those that are there but cannot be seen. */
const unfit = /[\p{Cc}\p{Cf}\p{Cs}]/u

const ascii = /\p{ASCII}/u

/**
 * The one form in which an e-mail is looked up, stored and compared: without blanks around it, in
 * lower case, composed as Unicode's NFC, its domain in ASCII. Null for a text that can be nobody's
 * e-mail.
 */
export function normalEmail(text: string): string | null {
  const trimmed = text.trim()
  if (unfit.test(trimmed) || hasDisguise(trimmed)) return null
  const email = withAsciiDomain(trimmed.normalize('NFC').toLowerCase().normalize('NFC'))
  return email === null || email === '' || email.length > maxEmailLength ? null : email
}

// Mail servers know domains in ASCII only. One that is in ASCII already is left as it stands.
function withAsciiDomain(email: string): string | null {
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at)
  if (at === 0 || /^\p{ASCII}*$/u.test(domain)) return email
  const mapped = asciiDomain(domain)
  return mapped === null ? null : email.slice(0, at) + mapped
}

// The Kelvin sign becomes a k in lower case: two mailboxes would be one account, and the mail of its
// owner would go to somebody else.
function hasDisguise(text: string): boolean {
  for (const letter of text) {
    if (ascii.test(letter)) continue
    if (ascii.test(letter.normalize('NFC').toLowerCase())) return true
  }
  return false
}
