import { ConfigurationError, InvalidArgumentException } from '../../base/errors.ts'
import type { KeyedValues } from './session-data.ts'

/** Longest identity that is indexed, in characters. */
const maxIdentityLength = 255

const deviceForm = /^[\w-]{1,64}$/

/**
 * Under which keys of a session guards keep the account, so that the sessions of an account can be
 * found and ended. A session is of one account: the first key that has a value counts.
 */
export class IdentityKeys {
  /** The only key, where the project has chosen one. */
  readonly #chosen: string | null
  #claimed: string | null = null
  #keys: readonly string[]

  constructor(chosen: string | undefined) {
    this.#chosen = chosen ?? null
    this.#keys = [chosen ?? 'identity']
  }

  /** Whether what stands under the key says whose session it is. */
  includes(key: string): boolean {
    return this.#keys.includes(key)
  }

  /** Looks under this key too, unless the project has chosen another. */
  follow(key: string): void {
    if (this.#chosen === null && !this.includes(key)) this.#keys = [key, ...this.#keys]
    if (this.#claimed !== null) this.claim(this.#claimed)
  }

  /**
   * Looks under this key before all others: for a guard that promises to end the sessions of an
   * account.
   * @throws ConfigurationError when the project has chosen another key, or another guard has.
   */
  claim(key: string): void {
    const other = this.#chosen ?? this.#claimed ?? key
    if (other !== key) throw contested(key, other)
    this.#claimed = key
    this.#keys = [key, ...this.#keys.filter((followed) => followed !== key)]
  }

  /** Whose session it is; null as long as nobody has signed in. */
  find(values: KeyedValues): string | null {
    for (const key of this.#keys) {
      const identity = identityOf(values[key])
      if (identity !== null) return identity
    }
    return null
  }
}

/**
 * Whose session it is, by the value a guard keeps in it: an id, or an object that has one.
 * @throws InvalidArgumentException for an id that cannot be indexed.
 */
export function identityOf(value: unknown): string | null {
  const id: unknown =
    typeof value === 'object' && value !== null && 'id' in value ? value.id : value
  if (typeof id !== 'string' && typeof id !== 'number') return null
  const text = String(id)
  if (text.length <= maxIdentityLength && text.isWellFormed() && !text.includes('\0')) {
    return text === '' ? null : text
  }
  throw new InvalidArgumentException(
    'E_SESSION_VALUE',
    `the id of an identity is a text of at most ${maxIdentityLength} characters without NUL`,
  )
}

/** Which device a session belongs to, by what stands under the key `device`; null for none. */
export function deviceOf(value: unknown): string | null {
  return typeof value === 'string' && deviceForm.test(value) ? value : null
}

function contested(key: string, other: string): ConfigurationError {
  return new ConfigurationError(
    'E_SESSION_INDEX',
    `Remember keeps accounts under "${key}" and the sessions follow "${other}", so that a theft would` +
      ` end the wrong ones; use one key for both, or a Sessions of its own for each`,
  )
}
