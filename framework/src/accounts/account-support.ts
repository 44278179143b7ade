import type { AccountActivity, ActivityRow } from './account-activity.ts'
import type { Device, Trust } from './devices/trust.ts'
import { isSuspended, stateOf } from './identity.ts'
import type { EndedSessions, EndOthersOptions } from './changes/credentials-options.ts'
import type { Credentials } from './changes/credentials.ts'
import type { Identity } from './identity.ts'
import type { Passkeys } from './passkeys/passkeys.ts'
import type { ApiTokens } from './tokens/api-tokens.ts'
import type { Users } from './users.ts'

/** A factor that can be taken from an account. `AuthenticatorApp` is one. */
export interface RemovableFactor {
  readonly name: string
  /** Removes it from an account, with everything that depends on it; false if it had none. */
  disable(user: string, options: EndOthersOptions): Promise<boolean>
}

/** Options of `AccountSupport`. */
export interface AccountSupportOptions {
  readonly users: Pick<Users, 'fetch'>
  /** What an account can be locked out by. */
  readonly factors: readonly RemovableFactor[]
  readonly credentials: Pick<Credentials, 'suspend' | 'restore' | 'endOthers'>
  readonly trust: Pick<Trust, 'list'>
  /** A `Sessions`. */
  readonly sessions: { list(user: string): Promise<readonly ListedSession[]> }
  /** Its tokens are revoked by `end`. @default none */
  readonly apiTokens?: Pick<ApiTokens, 'list' | 'revokeAll'> | null
  /** @default none */
  readonly passkeys?: Pick<Passkeys, 'list'> | null
  /** An `OpenIdAccounts`. @default none */
  readonly identities?: { list(user: string): Promise<readonly LinkedSite[]> } | null
  /** What happened to accounts. @default it is not shown */
  readonly activity?: Pick<AccountActivity, 'list'> | null
}

/** A session of an account, or a trusted device, which can begin one without a password. Times are epoch seconds. */
export interface ActiveSession {
  /** The user agent, as the client has sent it. */
  readonly agent: string
  /** The address it was last used from. */
  readonly peer: string
  readonly created: number
  readonly used: number
  /** Whether it is a trusted device, which signs in again without a password. */
  readonly remembered: boolean
}

/** A live session, as `Sessions.list` returns it. */
interface ListedSession extends Omit<ActiveSession, 'remembered'> {
  /** Handle of the device that began or revived it; null for none. */
  readonly device: string | null
}

/** What an operator sees of an account. */
export interface AccountSummary {
  readonly id: string
  readonly email: string
  readonly verified: boolean
  /** Whether it has a password; without one it signs in by other ways. */
  readonly password: boolean
  /** The names of its factors. */
  readonly factors: readonly string[]
  /** Whether it is suspended: then nobody gets in. */
  readonly suspended: boolean
  /** The names of its passkeys. */
  readonly passkeys: readonly string[]
  /** The names of the other sites with which it can be entered. */
  readonly identities: readonly string[]
  /** The names of its API tokens. */
  readonly tokens: readonly string[]
  /** How many places are signed in, or can be without a password. */
  readonly places: number
  /** Those of them that are trusted devices. */
  readonly devices: readonly ActiveSession[]
  /** The last event of its activity; null if there is none. */
  readonly last: ActivityRow | null
}

/** Another site that an account is, or can be, linked with; not linked, the last two are null. */
export interface LinkedSite {
  readonly issuer: { readonly name: string }
  /** Who the owner is there. */
  readonly subject: string | null
  readonly since: number | null
}

/** Every session and device, by the operator. */
const everything = { keep: null, device: null, actor: 'operator' } as const

/**
 * What the operators of a site do for owners of accounts, with the `framework accounts` commands. Every
 * method resolves with null if there is no account with this e-mail.
 */
export class AccountSupport {
  readonly #options: AccountSupportOptions

  constructor(options: AccountSupportOptions) {
    this.#options = options
  }

  /**
   * Describes an account.
   * @throws DatabaseError
   */
  async show(email: string): Promise<AccountSummary | null> {
    return this.#with(email, async (identity) => {
      const { secret = null, factors = [] } = stateOf(identity) ?? {}
      const { activity, apiTokens, identities, passkeys } = this.#options
      const { id } = identity
      const active = await this.#activeSessions(id)
      const page = await activity?.list(id, { limit: 1 })
      const sites = (await identities?.list(id)) ?? []
      return {
        ...identity,
        password: secret !== null,
        suspended: isSuspended(identity),
        factors,
        passkeys: ((await passkeys?.list(id)) ?? []).map(({ name }) => name),
        identities: sites.flatMap(({ issuer, since }) => (since === null ? [] : [issuer.name])),
        tokens: ((await apiTokens?.list(id)) ?? []).map(({ name }) => name),
        places: active.length,
        devices: active.filter(({ remembered }) => remembered),
        last: page?.rows[0] ?? null,
      }
    })
  }

  /**
   * Lists where an account is signed in, the last used first.
   * @throws DatabaseError
   */
  sessions(email: string): Promise<readonly ActiveSession[] | null> {
    return this.#with(email, ({ id }) => this.#activeSessions(id))
  }

  /**
   * Ends all sessions, devices and API tokens of an account and resolves with their numbers; its password,
   * factors, passkeys and identities stay valid. The owner is told by mail, and the activity names the
   * operator.
   * @throws DatabaseError
   */
  end(email: string): Promise<(EndedSessions & { readonly tokens: number }) | null> {
    return this.#with(email, async ({ id }) => {
      const { apiTokens, credentials } = this.#options
      // First: whoever has a session could make another token.
      const ended = await credentials.endOthers(id, everything)
      return { ...ended, tokens: (await apiTokens?.revokeAll(id, everything)) ?? 0 }
    })
  }

  /**
   * Suspends an account: ends its sessions and devices, and lets nobody in by any way, nor any API token,
   * until `restore`. Resolves with whether it was not suspended before.
   * @throws ConfigurationError if `Users` does not know the column, DatabaseError.
   */
  suspend(email: string): Promise<boolean | null> {
    return this.#with(email, async ({ id }) => {
      return (await this.#options.credentials.suspend(id, everything)) !== null
    })
  }

  /**
   * Lets the owner of a suspended account in again. Resolves with whether it was suspended.
   * @throws ConfigurationError if `Users` does not know the column, DatabaseError.
   */
  restore(email: string): Promise<boolean | null> {
    return this.#with(email, ({ id }) => this.#options.credentials.restore(id, everything))
  }

  /**
   * Removes every factor of an account whose owner has lost them, and ends all its sessions and devices:
   * then the password signs in again. The owner is told by mail, and the activity names the operator.
   * Resolves with the names of the removed factors.
   * @throws DatabaseError
   */
  unlock(email: string): Promise<readonly string[] | null> {
    return this.#with(email, async ({ id }) => {
      const removed: string[] = []
      for (const factor of this.#options.factors) {
        if (await factor.disable(id, everything)) removed.push(factor.name)
      }
      return removed
    })
  }

  async #activeSessions(user: string): Promise<readonly ActiveSession[]> {
    const { sessions, trust } = this.#options
    const [live, devices] = await Promise.all([sessions.list(user), trust.list(user)])
    return activeSessions(live, devices)
  }

  async #with<T>(email: string, work: (identity: Identity) => Promise<T>): Promise<T | null> {
    const identity = await this.#options.users.fetch(email)
    return identity === null ? null : work(identity)
  }
}

/** The last used first. A trusted device stands for its sessions. */
export function activeSessions(
  sessions: readonly ListedSession[],
  devices: readonly Device[],
): readonly ActiveSession[] {
  const handles = new Set<string | null>(devices.map(({ handle }) => handle))
  const remembered = devices.map((device) => {
    const own = sessions.filter((session) => session.device === device.handle)
    const last = own.reduce<Omit<ActiveSession, 'remembered'>>(
      (latest, session) => (session.used > latest.used ? session : latest),
      device,
    )
    return { ...activeSession(last, true), created: device.created }
  })
  const others = sessions.filter(({ device }) => !handles.has(device))
  const all = [...remembered, ...others.map((session) => activeSession(session, false))]
  return all.toSorted((one, other) => other.used - one.used)
}

function activeSession(
  { agent, peer, created, used }: Omit<ActiveSession, 'remembered'>,
  remembered: boolean,
): ActiveSession {
  return { agent, peer, created, used, remembered }
}
