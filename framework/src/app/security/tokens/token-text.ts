import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** What a store keeps of a token: where its row is, and what proves that somebody holds the rest. */
export interface TokenProof {
  /** 16 hexadecimal digits. */
  readonly selector: string
  /** Digest of the secret: who steals the table can redeem nothing. */
  readonly digest: string
}

/** A proof together with the text that it was made from. */
export interface NewTokenText extends TokenProof {
  /** `selector.secret`. It goes to its owner and nowhere else. */
  readonly value: string
}

/** 8 and 32 random bytes in lower case, and nothing else: a token has one way to be written. */
const form = /^([0-9a-f]{16})\.([0-9a-f]{64})$/

/** 256 random bits: no text has this digest. */
const decoy = randomBytes(32).toString('hex')

/** A token that nobody has seen. */
export function newTokenText(): NewTokenText {
  const selector = randomBytes(8).toString('hex')
  return tokenText(selector)
}

/** A new secret for a series that has its selector already. */
export function tokenText(selector: string): NewTokenText {
  const secret = randomBytes(32).toString('hex')
  return { selector, digest: digestOf(secret), value: `${selector}.${secret}` }
}

/** What a presented text proves; null for a text that is no token. */
export function readTokenText(text: unknown): TokenProof | null {
  const [, selector, secret] = typeof text === 'string' ? (form.exec(text) ?? []) : []
  if (selector !== undefined && secret !== undefined) return { selector, digest: digestOf(secret) }
  // The work of a comparison is done all the same, so that the time tells less about what was wrong.
  isProven(null, { selector: '', digest: digestOf('') })
  return null
}

/**
 * Whether the digest is the stored one. The time it takes does not depend on where they differ, nor on
 * whether there is a stored one at all.
 */
export function isProven(stored: string | null, { digest }: TokenProof): boolean {
  const kept = Buffer.from(stored ?? decoy)
  const given = Buffer.from(digest)
  return kept.length === given.length && timingSafeEqual(kept, given)
}

function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}
