import { ConfigurationError, InvalidArgumentException } from '../../base/errors.ts'
import type { KeyedValues } from './session-data.ts'

const maxIdentityLength = 255

const deviceForm = /^[\w-]{1,64}$/

/**
 * The session keys under which guards store the account; sessions are indexed by them, so that all
 * sessions of an account can be found and ended. The first key with a value counts.
 */
export class IdentityKeys {
  readonly #chosen: string | null
  #claimed: string | null = null
  #keys: readonly string[]

  constructor(chosen: string | undefined) {
    this.#chosen = chosen ?? null
    this.#keys = [chosen ?? 'identity']
  }

  /** The key that counts first. */
  get first(): string {
    return this.#keys[0] ?? 'identity'
  }

  /** Whether sessions are indexed by this key. */
  includes(key: string): boolean {
    return this.#keys.includes(key)
  }

  /** Adds this key, unless the project has chosen another. */
  follow(key: string): void {
    if (this.#chosen === null && !this.includes(key)) this.#keys = [key, ...this.#keys]
    if (this.#claimed !== null) this.claim(this.#claimed)
  }

  /**
   * Puts this key before all others, for a guard that must be able to end the sessions of an account.
   * @throws ConfigurationError if the project or another guard has claimed a different key.
   */
  claim(key: string): void {
    const other = this.#chosen ?? this.#claimed ?? key
    if (other !== key) {
      throw new ConfigurationError(
        'E_SESSION_INDEX',
        `Remember stores accounts under "${key}", but Sessions indexes "${other}", so a theft would end the` +
          ` wrong sessions; use the same key for both, or a separate Sessions for each`,
      )
    }
    this.#claimed = key
    this.#keys = [key, ...this.#keys.filter((followed) => followed !== key)]
  }

  /** The account id; null if nobody has signed in. */
  find(values: KeyedValues): string | null {
    for (const key of this.#keys) {
      const identity = identityOf(values[key])
      if (identity !== null) return identity
    }
    return null
  }
}

/**
 * The account id in a session value: the value itself, or its `id`.
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
    `the id of an identity must be at most ${maxIdentityLength} well-formed characters without NUL`,
  )
}

/** The handle of the device a session belongs to, from the value under `device`; null for none. */
export function deviceOf(value: unknown): string | null {
  return typeof value === 'string' && deviceForm.test(value) ? value : null
}
