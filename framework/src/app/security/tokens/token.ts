import { InvalidArgumentException } from '../../../base/errors.ts'
import type { Purposes } from './purposes.ts'

/** What a token is made of. */
export interface TokenFacts {
  readonly value: string
  readonly selector: string
  readonly user: string
  readonly purpose: Purposes | null
  readonly expires: number
}

/**
 * A token as it goes to its owner, the only place where its secret exists. Read-only. The secret is no
 * property of its own: logs, copies and JSON of a token do not hold it.
 */
export class Token {
  /** Names the stored row; not a secret, but nothing for a page either. */
  readonly selector: string
  readonly user: string
  /** Null for the token of a device. */
  readonly purpose: Purposes | null
  /** From then on it is worth nothing, epoch seconds. */
  readonly expires: number
  readonly #value: string

  constructor({ value, selector, user, purpose, expires }: TokenFacts) {
    this.#value = value
    this.selector = selector
    this.user = user
    this.purpose = purpose
    this.expires = expires
    Object.freeze(this)
  }

  /** `selector.secret`: the text for a cookie. */
  get value(): string {
    return this.#value
  }

  /** `selector/secret`: the text for the path of a link. */
  get path(): string {
    return this.#value.replace('.', '/')
  }
}

/** As long as the column of the tables is. */
const maxUserLength = 255

/**
 * The id of a user.
 * @throws InvalidArgumentException for an empty one or one that is too long.
 */
export function checkedUser(user: string): string {
  if (user !== '' && user.length <= maxUserLength) return user
  throw invalidArgument(`a user has an id of 1 to ${maxUserLength} characters, got ${user.length}`)
}

/**
 * When something ends that begins now and lives so many seconds.
 * @throws InvalidArgumentException for less than a second, or for parts of one.
 */
export function endOf(now: number, ttl: number): number {
  const expires = now + ttl
  if (Number.isSafeInteger(ttl) && ttl >= 1 && Number.isSafeInteger(expires)) return expires
  throw invalidArgument(`a lifetime is a whole number of seconds from 1 on, got ${ttl}`)
}

/**
 * Seconds of grace.
 * @throws InvalidArgumentException for less than none.
 */
export function checkedGrace(grace: number): number {
  if (Number.isFinite(grace) && grace >= 0) return grace
  throw invalidArgument(`grace is a number of seconds from 0 on, got ${grace}`)
}

function invalidArgument(text: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', text)
}
