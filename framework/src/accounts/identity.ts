import { hash } from 'node:crypto'

/** The public part of an account. Frozen; contains no secret. */
export interface Identity {
  /** Id of the account, as text whatever the type of the column. */
  readonly id: string
  /** The stored e-mail. Send mail to this one, never to what a guest has typed. */
  readonly email: string
  /** Whether the owner has verified the e-mail. */
  readonly verified: boolean
  /** The language that the owner has chosen; null for none. Accounts of a module have it. */
  readonly language?: string | null
  /** The time zone that the owner has chosen; null for none. Accounts of a module have it. */
  readonly timezone?: string | null
}

/** What was read with an identity. Kept apart from it: identities are logged and shown. */
export interface AccountState {
  /** The password hash. */
  readonly secret: string | null
  /** Names of the factors it has. */
  readonly factors: readonly string[]
  /**
   * False while only a link has verified the e-mail that was opened where nobody was signed in: a mail
   * scanner opens links too, so whoever has registered the address may not be its owner.
   */
  readonly isProven: boolean
  /** Whether an operator has suspended it: then nobody gets in. */
  readonly isSuspended: boolean
}

const states = new WeakMap<object, AccountState>()

/** Ties an identity to the row it was read from. */
export function keepState(identity: object, state: AccountState): void {
  const { secret, factors, isProven, isSuspended } = state
  states.set(identity, { secret, factors, isProven, isSuspended })
}

/** The state that an identity was read with; null for an object that `Users` has not made. */
export function stateOf(identity: object): AccountState | null {
  return states.get(identity) ?? null
}

/** Whether whoever has the account has shown that they read the mails to its address. */
export function isMailboxProven(identity: { readonly verified?: boolean }): boolean {
  return identity.verified === true && (stateOf(identity)?.isProven ?? true)
}

/** Whether an account was suspended when it was read. */
export function isSuspended(identity: object): boolean {
  return stateOf(identity)?.isSuspended === true
}

/**
 * A text that changes with the password of an account, to be kept in a session; null for an object that
 * `Users` has not made. It is a digest of the hash, whose salt nobody knows.
 */
export function credentialsVersion(identity: object): string | null {
  const state = stateOf(identity)
  return state === null ? null : hash('sha256', `version ${state.secret ?? ''}`, 'hex').slice(0, 32)
}
