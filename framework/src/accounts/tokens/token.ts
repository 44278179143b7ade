import { InvalidArgumentException } from '../../base/errors.ts'
import type { Purposes } from './purposes.ts'

/** The fields of a token. */
export interface TokenFields {
  readonly value: string
  readonly selector: string
  readonly user: string
  readonly purpose: Purposes | null
  readonly expires: number
}

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

  constructor({ value, selector, user, purpose, expires }: TokenFields) {
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
 * The expiry time of something that starts now and lives for `ttl` seconds.
 * @throws InvalidArgumentException unless `ttl` is a whole number and at least 1.
 */
export function expiryOf(now: number, ttl: number): number {
  const expires = now + ttl
  if (Number.isSafeInteger(ttl) && ttl >= 1 && Number.isSafeInteger(expires)) return expires
  throw invalidArgument(`a lifetime must be a whole number of seconds, at least 1, got ${ttl}`)
}

/**
 * Validates a grace period.
 * @throws InvalidArgumentException if it is negative.
 */
export function checkedGrace(grace: number): number {
  if (Number.isFinite(grace) && grace >= 0) return grace
  throw invalidArgument(`grace must be a number of seconds, at least 0, got ${grace}`)
}

function invalidArgument(text: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', text)
}
