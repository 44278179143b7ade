import type { AccountActivity, ActivityPage } from './account-activity.ts'
import type { LinkedSite } from './account-support.ts'
import type { Device, Trust } from './devices/trust.ts'
import type { AuthenticatorApp } from './factors/authenticator-app.ts'
import type { Passkeys } from './passkeys/passkeys.ts'
import type { ApiTokens } from './tokens/api-tokens.ts'
import type { Users } from './users.ts'

/**
 * Reads a part of the data of an account, as JSON values: all of it, or one after the other for a part that
 * can be long.
 */
export type ExportPart = (user: string) => Promise<unknown> | AsyncIterable<unknown>

/** The parts of an export, by their names in the file. */
export type ExportParts = Readonly<Record<string, ExportPart>>

type Use = Pick<Device, 'agent' | 'peer' | 'created' | 'used'>

/** What the framework knows of an account, for `accountParts`; what is off may be null. */
export interface AccountSources {
  readonly users: Pick<Users, 'find' | 'dates'>
  readonly trust?: Pick<Trust, 'list'>
  /** A `Sessions`. */
  readonly sessions?: { list(user: string): Promise<readonly Use[]> }
  readonly activity?: Pick<AccountActivity, 'list'> | null
  readonly apiTokens?: Pick<ApiTokens, 'list'> | null
  readonly authenticator?: Pick<AuthenticatorApp, 'status'> | null
  readonly passkeys?: Pick<Passkeys, 'list'> | null
  /** An `OpenIdAccounts`. */
  readonly identities?: { list(user: string): Promise<readonly LinkedSite[]> } | null
}

const activityPage = 100

/**
 * The parts of an export that the framework knows: `account`, `devices`, `sessions`, `activity`, `tokens`,
 * `authenticator`, `passkeys`, `identities`. None has a secret, a digest of one or an id that finds one.
 */
export function accountParts(sources: AccountSources): ExportParts {
  const { users, trust, sessions, activity = null, apiTokens = null } = sources
  const { authenticator = null, passkeys = null, identities = null } = sources
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
    ...(activity !== null && { activity: (user: string) => walk(activity, user) }),
    ...(apiTokens !== null && {
      tokens: async (user: string) =>
        (await apiTokens.list(user)).map(({ name, scopes, created, expires, used }) => ({
          name,
          scopes,
          created: timeOf(created),
          expires: timeOf(expires),
          used: timeOf(used),
        })),
    }),
    ...(authenticator !== null && {
      authenticator: async (user: string) => {
        const status = await authenticator.status(user)
        return status && { since: timeOf(status.since), recoveryCodes: status.codes }
      },
    }),
    ...(passkeys !== null && {
      passkeys: async (user: string) =>
        (await passkeys.list(user)).map(({ name, synced, created, used }) => ({
          name,
          synced,
          created: timeOf(created),
          used: timeOf(used),
        })),
    }),
    ...(identities !== null && {
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

async function* walk(activity: Pick<AccountActivity, 'list'>, user: string): AsyncGenerator {
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
