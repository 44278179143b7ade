import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { invalidArgument } from '../../base/errors.ts'

/** The purposes of action tokens. A token is valid for one purpose only. */
export const Purposes = { Recovery: 'recovery', Verification: 'verification' } as const
Object.freeze(Purposes)
export type Purposes = (typeof Purposes)[keyof typeof Purposes]

/**
 * A token for its owner, the only place where the secret exists. Read-only. The secret is not an
 * own property, so logs, copies and JSON of a token do not contain it.
 */
export class Token {
  /** Identifies the stored row. Not secret, but not meant for pages either. */
  readonly selector: string
  readonly user: string
  /** Null for a device token. */
  readonly purpose: Purposes | null
  /** When it expires, in epoch seconds. */
  readonly expires: number
  readonly #value: string

  constructor({ value, selector, user, purpose, expires }: Omit<Token, 'path'>) {
    this.#value = value
    this.selector = selector
    this.user = user
    this.purpose = purpose
    this.expires = expires
    Object.freeze(this)
  }

  /** `selector.secret`, for a cookie. */
  get value(): string {
    return this.#value
  }

  /** `selector/secret`, for the path of a link. */
  get path(): string {
    return this.#value.replace('.', '/')
  }
}

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
  return { ...proofOf(selector, secret), value: `${selector}.${secret}` }
}

/** Parses a presented token; null if it is malformed. */
export function readTokenText(text: unknown): TokenProof | null {
  const [, selector, secret] = typeof text === 'string' ? (tokenPattern.exec(text) ?? []) : []
  if (selector !== undefined && secret !== undefined) return proofOf(selector, secret)
  // Does the same work as for a well-formed token, so that the timing reveals less.
  isProven(null, { selector: '', digest: digestOf('') })
  return null
}

/** The proof that goes with a selector and a secret. */
export function proofOf(selector: string, secret: string): TokenProof {
  return { selector, digest: digestOf(secret) }
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

/** The length of the database column. */
const maxUserLength = 255

/**
 * Validates a user id.
 * @throws InvalidArgumentException if it is empty or too long.
 */
export function checkedUser(user: string): string {
  if (user !== '' && user.length <= maxUserLength) return user
  throw invalidArgument(`a user id must have 1 to ${maxUserLength} characters, got ${user.length}`)
}

/**
 * The expiry time of something that starts now and lives for `ttl` seconds; `what` names them in the error.
 * @throws InvalidArgumentException unless `ttl` is a whole number and at least 1.
 */
export function expiryOf(now: number, ttl: number, what: string = 'a lifetime'): number {
  const expires = now + ttl
  if (Number.isSafeInteger(ttl) && ttl >= 1 && Number.isSafeInteger(expires)) return expires
  throw invalidArgument(`${what} must be a whole number of seconds, at least 1, got ${ttl}`)
}

/**
 * Validates a time that may be zero, which `what` names in the error.
 * @throws InvalidArgumentException if it is negative.
 */
export function checkedSeconds(seconds: number, what: string): number {
  if (Number.isFinite(seconds) && seconds >= 0) return seconds
  throw invalidArgument(`${what} must be a number of seconds, at least 0, got ${seconds}`)
}

function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}
