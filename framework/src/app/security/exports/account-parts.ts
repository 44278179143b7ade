import type { Identity } from '../accounts/identity.ts'
import type { ActivityPage } from '../activity/activity-entry.ts'
import type { ExportParts } from './export-part.ts'

interface Use {
  readonly agent: string
  readonly peer: string
  /** Epoch seconds. */
  readonly created: number
  readonly used: number
}

/** What the framework knows of an account, for `accountParts`. */
export interface AccountSources {
  readonly users: { find(user: string): Promise<Identity | null> }
  /** A `Trust`. */
  readonly trust?: { list(user: string): Promise<readonly (Use & { readonly expires: number })[]> }
  /** A `Sessions`. */
  readonly sessions?: { list(user: string): Promise<readonly Use[]> }
  /** An `AccountActivity`. */
  readonly activity?: {
    list(
      user: string,
      options: { readonly cursor: string | null; readonly limit: number },
    ): Promise<ActivityPage>
  }
  /** An `ApiTokens`. */
  readonly apiTokens?: { list(user: string): Promise<readonly ListedToken[]> }
  /** A `Passkeys`. */
  readonly passkeys?: { list(user: string): Promise<readonly ListedPasskey[]> }
  /** An `OpenIdAccounts`. */
  readonly identities?: { list(user: string): Promise<readonly ListedIdentity[]> }
}

interface ListedPasskey {
  readonly name: string
  readonly synced: boolean
  readonly created: number
  readonly used: number | null
}

interface ListedIdentity {
  readonly issuer: { readonly name: string }
  /** Null while the account is not linked with it. */
  readonly since: number | null
}

interface ListedToken {
  readonly name: string
  readonly scopes: readonly string[]
  readonly created: number
  readonly expires: number
  readonly used: number | null
}

const activityPage = 100

/**
 * The parts of an export that the framework knows: `account`, `devices`, `sessions`, `activity`, `tokens`,
 * `passkeys`, `identities`.
 * None has a secret, a digest of one or an id that finds one.
 */
export function accountParts(sources: AccountSources): ExportParts {
  const { users, trust, sessions, activity, apiTokens, passkeys, identities } = sources
  return {
    account: async (user) => {
      const account = await users.find(user)
      return account === null
        ? null
        : { id: account.id, email: account.email, verified: account.verified }
    },
    ...(trust !== undefined && {
      devices: async (user: string) =>
        (await trust.list(user)).map((device) =>
          Object.assign(useOf(device), { expires: timeOf(device.expires) }),
        ),
    }),
    ...(sessions !== undefined && {
      sessions: async (user: string) => (await sessions.list(user)).map(useOf),
    }),
    ...(activity !== undefined && { activity: (user: string) => walk(activity, user) }),
    ...(apiTokens !== undefined && {
      tokens: async (user: string) =>
        (await apiTokens.list(user)).map(({ name, scopes, created, expires, used }) => ({
          name,
          scopes,
          created: timeOf(created),
          expires: timeOf(expires),
          used: timeOf(used),
        })),
    }),
    ...(passkeys !== undefined && {
      passkeys: async (user: string) =>
        (await passkeys.list(user)).map(({ name, synced, created, used }) => ({
          name,
          synced,
          created: timeOf(created),
          used: timeOf(used),
        })),
    }),
    ...(identities !== undefined && {
      identities: async (user: string) =>
        (await identities.list(user)).flatMap(({ issuer, since }) =>
          since === null ? [] : [{ issuer: issuer.name, since: timeOf(since) }],
        ),
    }),
  }
}

function useOf({ agent, peer, created, used }: Use) {
  return { agent, peer, created: timeOf(created), used: timeOf(used) }
}

async function* walk(
  activity: NonNullable<AccountSources['activity']>,
  user: string,
): AsyncGenerator {
  let cursor: string | null = null
  do {
    const page: ActivityPage = await activity.list(user, { cursor, limit: activityPage })
    for (const { at, ...row } of page.rows) yield { at: timeOf(at), ...row }
    cursor = page.next
  } while (cursor !== null)
}

function timeOf(seconds: number | null): string | null {
  return seconds === null ? null : new Date(seconds * 1000).toISOString()
}
