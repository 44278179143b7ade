/** A passkey of an account, for its owner. */
export interface Passkey {
  /** The argument of `remove`. It is not a secret. */
  readonly handle: string
  /** What its owner calls it. */
  readonly name: string
  /** Whether it can verify its user, and so sign in without a password; else it is for the second step. */
  readonly verifies: boolean
  /** Whether it is kept in several places, such as the account of a phone. */
  readonly synced: boolean
  /** Epoch seconds. */
  readonly created: number
  /** When it was last used, in epoch seconds; null if never. */
  readonly used: number | null
}
