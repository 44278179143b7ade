import type { EndOthersOptions } from './credentials-options.ts'
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
}

/** What the operators of a site do for owners of accounts, with the `framework accounts` commands. */
export class AccountSupport {
  readonly #users: AccountSupportOptions['users']
  readonly #factors: readonly RemovableFactor[]

  constructor({ users, factors }: AccountSupportOptions) {
    this.#users = users
    this.#factors = factors
  }

  /**
   * Removes every factor of an account whose owner has lost them, and ends all its sessions and devices:
   * then the password signs in again. The owner is told by mail, and the activity names the operator.
   * Resolves with the names of the removed factors; null if there is no such account.
   * @throws DatabaseError
   */
  async unlock(email: string): Promise<readonly string[] | null> {
    const identity = await this.#users.fetch(email)
    if (identity === null) return null
    const removed: string[] = []
    for (const factor of this.#factors) {
      const options = { keep: null, device: null, actor: 'operator' }
      if (await factor.disable(identity.id, options)) removed.push(factor.name)
    }
    return removed
  }
}
