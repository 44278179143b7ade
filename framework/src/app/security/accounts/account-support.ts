import type { AccountActivity } from '../activity/account-activity.ts'
import type { ActivityRow } from '../activity/activity-entry.ts'
import type { Device } from '../tokens/device.ts'
import { accountPlaces } from './account-places.ts'
import type { AccountPlace, ListedAccountSession } from './account-places.ts'
import { stateOf } from './account-state.ts'
import type { EndedPlaces, EndOthersOptions } from './credentials-options.ts'
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
  readonly credentials: { endOthers(user: string, options: EndOthersOptions): Promise<EndedPlaces> }
  /** A `Trust`. */
  readonly trust: { list(user: string): Promise<readonly Device[]> }
  /** A `Sessions`. */
  readonly sessions: { list(user: string): Promise<readonly ListedAccountSession[]> }
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
  /** How many places are signed in, or can be without a password. */
  readonly places: number
  /** How many of them are trusted devices. */
  readonly devices: number
  /** The last event of its activity; null if there is none. */
  readonly last: ActivityRow | null
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
      const places = await this.#places(identity.id)
      const page = await this.#options.activity?.list(identity.id, { limit: 1 })
      return {
        ...identity,
        password: secret !== null,
        factors,
        places: places.length,
        devices: places.filter(({ remembered }) => remembered).length,
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
   * Ends all sessions and devices of an account and resolves with its id; its password stays valid. The
   * owner is told by mail, and the activity names the operator.
   * @throws DatabaseError
   */
  end(email: string): Promise<string | null> {
    return this.#with(email, async ({ id }) => {
      await this.#options.credentials.endOthers(id, all)
      return id
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
