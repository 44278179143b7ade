import type { AccountActivity } from './activity/account-activity.ts'
import type { ActivityRow } from './activity/activity-entry.ts'
import type { Device } from './tokens/device.ts'
import { accountPlaces } from './account-places.ts'
import type { AccountPlace, ListedAccountSession } from './account-places.ts'
import { isSuspended, stateOf } from './account-state.ts'
import type {
  ChangeOptions,
  CredentialsOrigin,
  EndedPlaces,
  EndOthersOptions,
} from './credentials-options.ts'
import type { Identity } from './identity.ts'

/** A factor that can be taken from an account. `AuthenticatorApp` is one. */
export interface RemovableFactor {
  readonly name: string
  /** Removes it from an account, with everything that depends on it; false if it had none. */
  disable(user: string, options: EndOthersOptions): Promise<boolean>
}

/** Options of `AccountSupport`. */
export interface AccountSupportOptions {
  /** A `Users`. */
  readonly users: { fetch(email: string): Promise<Identity | null> }
  /** What an account can be locked out by. */
  readonly factors: readonly RemovableFactor[]
  /** A `Credentials`. */
  readonly credentials: {
    suspend(user: string, origin: CredentialsOrigin): Promise<EndedPlaces | null>
    restore(user: string, origin: CredentialsOrigin): Promise<boolean>
    endOthers(user: string, options: EndOthersOptions): Promise<EndedPlaces>
  }
  /** A `Trust`. */
  readonly trust: { list(user: string): Promise<readonly Device[]> }
  /** A `Sessions`. */
  readonly sessions: { list(user: string): Promise<readonly ListedAccountSession[]> }
  /** An `ApiTokens`, whose tokens `end` revokes. @default none */
  readonly apiTokens?: {
    list(user: string): Promise<readonly NamedToken[]>
    revokeAll(user: string, options: ChangeOptions): Promise<number>
  } | null
  /** A `Passkeys`. @default none */
  readonly passkeys?: { list(user: string): Promise<readonly { readonly name: string }[]> } | null
  /** An `OpenIdAccounts`. @default none */
  readonly identities?: { list(user: string): Promise<readonly LinkedSite[]> } | null
  /** What happened to accounts. @default it is not shown */
  readonly activity?: Pick<AccountActivity, 'list'> | null
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
  readonly devices: readonly AccountPlace[]
  /** The last event of its activity; null if there is none. */
  readonly last: ActivityRow | null
}

/** What `AccountSupport.end` has ended. */
export interface EndedAccess extends EndedPlaces {
  readonly tokens: number
}

interface NamedToken {
  readonly name: string
}

interface LinkedSite {
  readonly issuer: { readonly name: string }
  /** Null while the account is not linked with it. */
  readonly since: number | null
}

/** Every session and device, by the operator. */
const all = { keep: null, device: null, actor: 'operator' } as const

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
      const places = await this.#places(id)
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
        places: places.length,
        devices: places.filter(({ remembered }) => remembered),
        last: page?.rows[0] ?? null,
      }
    })
  }

  /**
   * Lists where an account is signed in, the last used first.
   * @throws DatabaseError
   */
  sessions(email: string): Promise<readonly AccountPlace[] | null> {
    return this.#with(email, ({ id }) => this.#places(id))
  }

  /**
   * Ends all sessions, devices and API tokens of an account and resolves with their numbers; its password,
   * factors, passkeys and identities stay valid. The owner is told by mail, and the activity names the
   * operator.
   * @throws DatabaseError
   */
  end(email: string): Promise<EndedAccess | null> {
    return this.#with(email, async ({ id }) => {
      const { apiTokens, credentials } = this.#options
      // First: whoever has a session could make another token.
      const places = await credentials.endOthers(id, all)
      return { ...places, tokens: (await apiTokens?.revokeAll(id, all)) ?? 0 }
    })
  }

  /**
   * Suspends an account: ends its sessions and devices, and lets nobody in by any way, nor any API token,
   * until `restore`. Resolves with whether it was not suspended before.
   * @throws ConfigurationError if `Users` does not know the column, DatabaseError.
   */
  suspend(email: string): Promise<boolean | null> {
    return this.#with(email, async ({ id }) => {
      const { actor } = all
      return (await this.#options.credentials.suspend(id, { actor })) !== null
    })
  }

  /**
   * Lets the owner of a suspended account in again. Resolves with whether it was suspended.
   * @throws ConfigurationError if `Users` does not know the column, DatabaseError.
   */
  restore(email: string): Promise<boolean | null> {
    return this.#with(email, ({ id }) => {
      const { actor } = all
      return this.#options.credentials.restore(id, { actor })
    })
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
        if (await factor.disable(id, all)) removed.push(factor.name)
      }
      return removed
    })
  }

  async #places(user: string): Promise<readonly AccountPlace[]> {
    const { sessions, trust } = this.#options
    const [live, devices] = await Promise.all([sessions.list(user), trust.list(user)])
    return accountPlaces(live, devices)
  }

  async #with<T>(email: string, work: (identity: Identity) => Promise<T>): Promise<T | null> {
    const identity = await this.#options.users.fetch(email)
    return identity === null ? null : work(identity)
  }
}
