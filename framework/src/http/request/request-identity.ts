/** The signed-in account, as the guard of the route knows it. */
export interface RequestIdentity {
  /** Id of the account. */
  readonly id: string
  readonly email?: string
  readonly verified?: boolean
}
