import type { Transaction } from '../../database/surface.ts'
import type { Users } from '../users.ts'
import type { DeleteStep } from './account-deletion.ts'
import type { TellEvent } from './credentials-options.ts'

/** A factor of which a thief may have added something to an account. `AuthenticatorApp` is one. */
export interface RevocableFactor {
  readonly name: string
  /**
   * Deletes that, in the transaction in which the owner takes the account back. What was added before
   * `since`, in epoch seconds, may stay. Resolves with whether the account has lost the factor.
   */
  revoke(user: string, since: number, transaction: Transaction): Promise<boolean>
}

/** What a thief may leave behind in an account. */
export interface LeftBehind {
  /** What else ends when the owner takes the account back: `[deleteRowsOf('api_tokens')]`. @default [] */
  readonly undoes?: readonly DeleteStep[]
  /** Factors that a thief may have added: they lose what was added lately. @default [] */
  readonly factors?: readonly RevocableFactor[]
  readonly users: Pick<Users, 'within'>
}

/**
 * Takes from an account what was left behind in it, of its factors what was added at this time or later, in
 * the transaction in which its owner takes it back.
 */
export async function endLeftBehind(
  transaction: Transaction,
  { undoes = [], factors = [], users }: LeftBehind,
  { user, since }: { readonly user: string; readonly since: number },
  tell: TellEvent,
): Promise<void> {
  for (const end of undoes) await end(transaction, user)
  for (const factor of factors) {
    if (!(await factor.revoke(user, since, transaction))) continue
    await users.within(transaction).setFactor(user, factor.name, false)
    await tell('FactorRemoved', factor.name)
  }
}
