import { hash, randomBytes } from 'node:crypto'

/** What a session of the peers holds for its forms. */
export function newSecret(): string {
  return randomBytes(18).toString('base64url')
}

/**
 * A token for one page: a salt and the digest of salt and secret, as the CSRF packages of the peers make
 * it. Their packages do more, such as reading settings of the request, and are left out.
 */
export function saltedToken(secret: string): string {
  const salt = randomBytes(6).toString('base64url')
  return `${salt}-${hash('sha256', `${salt}-${secret}`, 'base64url')}`
}
