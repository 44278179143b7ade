import { domainToUnicode } from 'node:url'
import { asciiDomain, isLocalPart } from '../mail/address.ts'
import { normalEmail } from './normal-email.ts'

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
  const at = email.lastIndexOf('@')
  const domain = domainToUnicode(email.slice(at + 1))
  return domain === '' ? email : email.slice(0, at + 1) + domain
}
