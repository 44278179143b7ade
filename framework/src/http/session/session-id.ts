import { hash } from 'node:crypto'
import { pooledRandomBytes } from '../../base/crypto/random-pool.ts'

const format = /^[\w-]{43}$/

/** A new id of 256 random bits, 43 characters. Only the browser ever gets it. */
export function newSessionId(): string {
  return pooledRandomBytes(32).toString('base64url')
}

/** Whether a text has the format of an id; anything else is never looked up. */
export function isSessionId(text: string | undefined): text is string {
  return text !== undefined && format.test(text)
}

/** Stored in place of the id, so a leaked store does not let anyone sign in. */
export function sessionDigest(id: string): string {
  return hash('sha256', id, 'hex')
}

/** Identifies a session on pages and in URLs. It reveals neither the id nor the digest. */
export function sessionHandle(digest: string): string {
  return hash('sha256', `session handle ${digest}`, 'hex').slice(0, 32)
}
