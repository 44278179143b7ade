/** The signed-in account, as the guard of the route knows it. */
export interface RequestIdentity {
  /** Id of the account. */
  readonly id: string
  readonly email?: string
  readonly verified?: boolean
}

/**
 * An account id or digest for a log line; null for anything else. Numbers, UUIDs and the like pass, an
 * e-mail does not: user input passed by mistake in place of an id must not reach the log.
 */
export function loggedId(id: unknown): string | null {
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : null
}
