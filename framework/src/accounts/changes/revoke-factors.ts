import type { Transaction } from '../../database/surface.ts'
import type { Users } from '../users.ts'
import type { ChangeJournal } from './change-journal.ts'
import type { CredentialsOrigin } from './credentials-options.ts'

/** A factor of which a thief may have added something to an account. `AuthenticatorApp` is one. */
export interface RevocableFactor {
  readonly name: string
  /**
   * Deletes that, in the transaction in which the owner takes the account back. What was added before
   * `since`, in epoch seconds, may stay. Resolves with whether the account has lost the factor.
   */
  revoke(user: string, since: number, transaction: Transaction): Promise<boolean>
}

/** What takes the factors of a thief from an account. */
export interface FactorRevoker {
  readonly factors: readonly RevocableFactor[]
  readonly users: Pick<Users, 'within'>
  readonly journal: ChangeJournal
}

/**
 * Takes from an account what was added to its factors at this time or later, in the transaction in which its
 * owner takes it back. Resolves with the names of the factors that the account has lost, for their events.
 */
export async function revokeFactors(
  transaction: Transaction,
  { factors, users, journal }: FactorRevoker,
  { user, since }: { readonly user: string; readonly since: number },
  origin: CredentialsOrigin,
): Promise<readonly string[]> {
  const lost: string[] = []
  for (const factor of factors) {
    if (!(await factor.revoke(user, since, transaction))) continue
    await users.within(transaction).setFactor(user, factor.name, false)
    await journal.record(transaction, 'FactorRemoved', user, origin, factor.name)
    lost.push(factor.name)
  }
  return lost
}
