import type { Boot } from 'framework'
import { OpenIdAccounts, OpenIdSignIn } from 'framework/auth'
import type { OpenIdIssuer } from 'framework/auth'
import type { Database } from 'framework/database'
import type { Configs } from '../configs/manifest.ts'
import type { Accounts } from './accounts.ts'

/** What signing in with accounts of other sites needs. */
export interface OpenIdParts {
  readonly database: Database
  readonly accounts: Accounts
  /** The sites that are configured. */
  readonly issuers: readonly OpenIdIssuer[]
}

/** Builds what signs in with accounts of other sites; null if none is configured. */
export function openOpenId(
  boot: Boot<Configs>,
  { database, accounts, issuers }: OpenIdParts,
): OpenIdSignIn | null {
  if (issuers.length === 0) return null
  const { users, credentials, signIn } = accounts
  const { activity } = accounts // part: activity
  return new OpenIdSignIn({
    issuers,
    accounts: new OpenIdAccounts(database, {
      users,
      credentials,
      issuers,
      hasOtherWay: (surface, user) => accounts.passkeys.isEnrolled(user, surface), // part: passkeys
      activity, // part: activity
    }),
    signIn,
    url: boot.server.url,
  })
}
