import { hash, randomBytes } from 'node:crypto'

const form = /^[\w-]{43}$/

/** A new id of 256 random bits, 43 characters. It goes to the browser and nowhere else. */
export function newSessionId(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether a text could be an id at all; nothing else is looked up. */
export function isSessionId(text: string | undefined): text is string {
  return text !== undefined && form.test(text)
}

/** What is stored in place of an id: who reads the store can sign in as nobody. */
export function sessionDigest(id: string): string {
  return hash('sha256', id, 'hex')
}

/** What a session is called on pages and in URLs. It leads neither to the id nor to the digest. */
export function sessionHandle(digest: string): string {
  return hash('sha256', `session handle ${digest}`, 'hex').slice(0, 32)
}
