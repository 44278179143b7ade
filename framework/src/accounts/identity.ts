/** The public part of an account. Frozen; contains no secret. */
export interface Identity {
  /** Id of the account, as text whatever the type of the column. */
  readonly id: string
  /** The stored e-mail. Send mail to this one, never to what a guest has typed. */
  readonly email: string
  /** Whether the owner has verified the e-mail. */
  readonly verified: boolean
}
