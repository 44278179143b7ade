import type { Transaction } from '../../database/surface.ts'

/** A factor of which a thief may have added something to an account. `AuthenticatorApp` is one. */
export interface RevocableFactor {
  readonly name: string
  /**
   * Deletes that, in the transaction in which the owner takes the account back. What was added before
   * `since`, in epoch seconds, may stay. Resolves with whether the account has lost the factor.
   */
  revoke(user: string, since: number, transaction: Transaction): Promise<boolean>
}
