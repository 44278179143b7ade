import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The stored part of a token: the selector finds the row, the digest proves possession. */
export interface TokenProof {
  /** 16 hexadecimal digits. */
  readonly selector: string
  /** Digest of the secret: a stolen table redeems nothing. */
  readonly digest: string
}

/** A proof together with the token it was made from. */
export interface NewTokenText extends TokenProof {
  /** `selector.secret`. It goes to the owner and nowhere else. */
  readonly value: string
}

/** 8 and 32 random bytes in lower-case hex. A token has exactly one spelling. */
const form = /^([0-9a-f]{16})\.([0-9a-f]{64})$/

/** 256 random bits: the digest of no known text. */
const decoy = randomBytes(32).toString('hex')

/** A new token. */
export function newTokenText(): NewTokenText {
  const selector = randomBytes(8).toString('hex')
  return tokenText(selector)
}

/** A new secret for an existing selector. */
export function tokenText(selector: string): NewTokenText {
  const secret = randomBytes(32).toString('hex')
  return { selector, digest: digestOf(secret), value: `${selector}.${secret}` }
}

/** Parses a presented token; null if it is malformed. */
export function readTokenText(text: unknown): TokenProof | null {
  const [, selector, secret] = typeof text === 'string' ? (form.exec(text) ?? []) : []
  if (selector !== undefined && secret !== undefined) return { selector, digest: digestOf(secret) }
  // Compares anyway, so that the timing reveals less about what was wrong.
  isProven(null, { selector: '', digest: digestOf('') })
  return null
}

/**
 * Whether the digest equals the stored one. The time does not depend on where they differ, or on
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
