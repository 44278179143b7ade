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
