import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A token without its secret: the selector finds the row, the digest proves possession. */
export interface TokenProof {
  /** 16 hexadecimal digits. */
  readonly selector: string
  /** Digest of the secret, so that tokens cannot be reconstructed from a leaked table. */
  readonly digest: string
}

/** A proof together with the token it was made from. */
export interface NewTokenText extends TokenProof {
  /** `selector.secret`. It goes to the owner and nowhere else. */
  readonly value: string
}

/** Selector (8 bytes) and secret (32 bytes) in lower-case hex; upper case is rejected. */
const tokenPattern = /^([0-9a-f]{16})\.([0-9a-f]{64})$/

/** Stand-in for a stored digest, which no known secret produces. */
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
  const [, selector, secret] = typeof text === 'string' ? (tokenPattern.exec(text) ?? []) : []
  if (selector !== undefined && secret !== undefined) return { selector, digest: digestOf(secret) }
  // Does the same work as for a well-formed token, so that the timing reveals less.
  isProven(null, { selector: '', digest: digestOf('') })
  return null
}

/**
 * Whether the digest equals the stored one. Takes the same time wherever they differ, and when
 * nothing is stored.
 */
export function isProven(stored: string | null, { digest }: TokenProof): boolean {
  const kept = Buffer.from(stored ?? decoy)
  const given = Buffer.from(digest)
  return kept.length === given.length && timingSafeEqual(kept, given)
}

function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}
