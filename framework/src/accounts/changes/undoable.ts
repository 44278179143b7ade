import type { Transaction } from '../../database/surface.ts'

/**
 * Keeps something that a thief may add to an account, and that its owner can take away again by the link in
 * the mail about it: `AuthenticatorApp`, `Passkeys`, `ApiTokens` and `OpenIdIdentities` do.
 */
export interface Undoable {
  /**
   * Deletes what the `subject` of the event names, in the transaction of the undo; nothing if it is gone
   * already. Resolves with the name of a factor that the account has lost by it, or null.
   */
  undo(transaction: Transaction, user: string, subject: string): Promise<string | null>
}
