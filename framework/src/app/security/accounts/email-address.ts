import { domainToUnicode } from 'node:url'
import { asciiDomain, isLocalPart } from '../../../services/mail/address.ts'
import { normalEmail } from './normal-email.ts'

/**
 * Whether an account may have this e-mail: the mailer can deliver to it. The domain may be written in
 * any script and has a dot. The part before the @ is ASCII: few mail servers take anything else, and an
 * account that gets no mail cannot be recovered.
 */
export function isEmailAddress(text: string): boolean {
  const email = normalEmail(text)
  if (email === null || !/^\p{ASCII}+$/u.test(email)) return false
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  return isLocalPart(email.slice(0, at)) && domain.includes('.') && asciiDomain(domain) === domain
}

/** A stored e-mail as people write it: its domain in letters, not in the ASCII form of them. */
export function displayEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = domainToUnicode(email.slice(at + 1))
  return domain === '' ? email : email.slice(0, at + 1) + domain
}
