import { createHmac } from 'node:crypto'
import type { ApplicationKey } from '../settings/keys/application-key.ts'
import { normalEmail } from './normal-email.ts'

const hexDigits = 32

/**
 * Returns a function that turns the e-mail of a refused sign-in into a digest for logs. Equal e-mails
 * have equal digests, and without the application key nobody can tell which e-mail it was: a plain
 * hash could be guessed from a list of addresses.
 */
export function accountDigest(key: ApplicationKey): (email: string) => string {
  const secret = key.derive('account digests')
  return (email) =>
    createHmac('sha256', secret)
      .update(normalEmail(email) ?? email)
      .digest('hex')
      .slice(0, hexDigits)
}
