import { hash } from 'node:crypto'

/** What was read with an identity. Kept apart from it: identities are logged and shown. */
export interface AccountState {
  /** The password hash. */
  readonly secret: string | null
  /** Names of the factors it has. */
  readonly factors: readonly string[]
}

const states = new WeakMap<object, AccountState>()

/** Ties an identity to the row it was read from. */
export function keepState(identity: object, { secret, factors }: AccountState): void {
  states.set(identity, { secret, factors })
}

/** The state that an identity was read with; null for an object that `Users` has not made. */
export function stateOf(identity: object): AccountState | null {
  return states.get(identity) ?? null
}

/**
 * A text that changes with the password of an account, to be kept in a session; null for an object that
 * `Users` has not made. It is a digest of the hash, whose salt nobody knows.
 */
export function credentialsVersion(identity: object): string | null {
  const state = stateOf(identity)
  return state === null ? null : hash('sha256', `version ${state.secret ?? ''}`, 'hex').slice(0, 32)
}
