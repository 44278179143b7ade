import type { Identity } from './identity.ts'
import type { UsersDates } from './users-rows.ts'
import type { ActivityPage } from './account-activity.ts'

/**
 * Reads a part of the data of an account, as JSON values: all of it, or one after the other for a part that
 * can be long.
 */
export type ExportPart = (user: string) => Promise<unknown> | AsyncIterable<unknown>

/** The parts of an export, by their names in the file. */
export type ExportParts = Readonly<Record<string, ExportPart>>

interface Use {
  readonly agent: string
  readonly peer: string
  /** Epoch seconds. */
  readonly created: number
  readonly used: number
}

/** What the framework knows of an account, for `accountParts`. */
export interface AccountSources {
  /** A `Users`. */
  readonly users: {
    find(user: string): Promise<Identity | null>
    dates(user: string): Promise<UsersDates | null>
  }
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
  /** An `AuthenticatorApp`. */
  readonly authenticator?: {
    status(user: string): Promise<{ readonly since: number; readonly codes: number } | null>
  }
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
  /** Who the owner is there; null while the account is not linked with it, like `since`. */
  readonly subject: string | null
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
 * `authenticator`, `passkeys`, `identities`. None has a secret, a digest of one or an id that finds one.
 */
export function accountParts(sources: AccountSources): ExportParts {
  const { users, trust, sessions, activity, apiTokens, authenticator, passkeys } = sources
  const { identities } = sources
  return {
    account: async (user) => {
      const account = await users.find(user)
      if (account === null) return null
      const dates = await users.dates(user)
      const [created, verifiedAt] = [dates?.created ?? null, dates?.verified ?? null]
      // With the columns of the project.
      return { ...account, created: timeOf(created), verifiedAt: timeOf(verifiedAt) }
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
    ...(authenticator !== undefined && {
      authenticator: async (user: string) => {
        const status = await authenticator.status(user)
        return status && { since: timeOf(status.since), recoveryCodes: status.codes }
      },
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
        (await identities.list(user)).flatMap(({ issuer, subject, since }) =>
          since === null ? [] : [{ issuer: issuer.name, subject, since: timeOf(since) }],
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
