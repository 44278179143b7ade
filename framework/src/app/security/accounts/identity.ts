/** Who somebody is, as far as an account tells it. Frozen, and without any secret. */
export interface Identity {
  /** Id of the account, as text whatever the column holds. */
  readonly id: string
  /** The e-mail as it is stored: mail goes there, never to what a guest has typed. */
  readonly email: string
  /** Whether the owner has shown that the e-mail is theirs. */
  readonly verified: boolean
}
