import { Throwables } from '../../../base/throwables/throwables.ts'
import type { Database, Surface, Transaction } from '../../../data/database/surface.ts'
import { retryOnDeadlock } from '../../../data/tables/retry-on-deadlock.ts'
import { Emitter } from '../../../services/events/emitter.ts'
import { AuthEvents } from './auth-events.ts'
import type { AuthEvent } from './auth-events.ts'
import { passwordBytes } from '../passwords/password-text.ts'
import type { Password } from '../passwords/password.ts'
import { Purposes } from '../tokens/purposes.ts'
import { Tokens } from '../tokens/tokens.ts'
import type { TokensOptions } from '../tokens/tokens.ts'
import { Trust } from '../tokens/trust.ts'
import type { TrustOptions } from '../tokens/trust.ts'
import { Users } from './users.ts'
import type { AccountRef, UsersOptions } from './users.ts'

/** Ends the sessions of somebody. Every store of sessions is one. */
export interface SessionEnder {
  /** Ends the sessions of an identity but the one with that digest; the number of them. */
  destroyOf(identity: string, exceptDigest: string | null): Promise<number>
}

/** What a unit of credentials works on. */
export interface CredentialsOptions {
  /**
   * The store of sessions. One in the same database is made on the surface it is given, and so part of
   * the transaction: `(surface) => new SqlSessions(surface)`. Another one is the same every time.
   */
  readonly sessions: (surface: Surface) => SessionEnder
  readonly users?: UsersOptions
  readonly tokens?: TokensOptions
  readonly trust?: TrustOptions
  /** Hears `AuthEvents.Changed` and `AuthEvents.Reset`. */
  readonly emitter?: Emitter
  /** Hears of a failure that comes after all is done. */
  readonly throwables?: Throwables
  /** Epoch seconds, for the time of the events. */
  readonly clock?: () => number
}

/** Where the wish for another password came from, for the events. */
export interface CredentialsOrigin {
  /** Address of the request. */
  readonly peer?: string
  /** Its browser, as it named itself. */
  readonly agent?: string
  /** Id of the request. */
  readonly request?: string | null
}

/** What a change leaves as it is, and where it came from. */
export interface ChangeOptions extends CredentialsOrigin {
  /** `session.digest` of the session that stays; null ends all of them. */
  readonly keep: string | null
}

/** What stays signed in when everywhere else is signed out. */
export interface EndOthersOptions {
  /** `session.digest` of the session that stays; null ends all of them. */
  readonly keep: string | null
  /** Handle of its device, as the session has it under `device`; null for none. */
  readonly device: string | null
}

/**
 * Gives an account another password, and in the same transaction takes everything that the old one
 * led to: action tokens, trusted devices, sessions. It also signs out everywhere else. It is all done
 * or nothing; a failing database rejects with its DatabaseError.
 *
 * Sessions that are kept elsewhere, such as in Redis, are ended last before the commit: if that fails
 * nothing else is done, and if the commit fails then people are signed out and nothing else is lost.
 */
export class Credentials {
  readonly #database: Database
  readonly #password: Password
  readonly #options: CredentialsOptions
  readonly #emitter: Emitter
  readonly #throwables: Throwables
  readonly #clock: () => number

  constructor(database: Database, password: Password, options: CredentialsOptions) {
    const { emitter = Emitter.Instance, throwables = Throwables } = options
    this.#database = database
    this.#password = password
    this.#options = options
    this.#emitter = emitter
    this.#throwables = throwables
    this.#clock = options.clock ?? (() => Date.now() / 1000)
  }

  /**
   * Changes the password of an account. False when there is no such account, or the password cannot
   * be. Hand over the identity that `users.check` accepted the old password for: who knew it only until
   * somebody else changed it meanwhile gets false too.
   * @throws OverloadedError when too many hashes are waiting, DatabaseError.
   */
  async change(account: AccountRef, password: string, options: ChangeOptions): Promise<boolean> {
    const { keep } = options
    const user = typeof account === 'string' ? account : account.id
    if (passwordBytes(password) === null) return false
    const hash = await this.#password.hash(password)
    const isChanged = await this.#inOne(async (transaction) => {
      if (!(await this.#users(transaction).store(account, hash))) return false
      await this.#endAll(transaction, user, keep)
      return true
    })
    if (!isChanged) return false
    await this.#endAgain(user, keep)
    this.#tell(AuthEvents.Changed, user, options)
    return true
  }

  /**
   * Sets the password of the account that a token for its recovery belongs to, and resolves with the
   * id; the token came by mail, so the e-mail is verified too. Null when the token is not good, and
   * when the password cannot be: then the token stays.
   * @throws OverloadedError when too many hashes are waiting, DatabaseError.
   */
  async reset(
    token: string,
    password: string,
    origin: CredentialsOrigin = {},
  ): Promise<string | null> {
    if (passwordBytes(password) === null) return null
    // So that nobody can make the server hash with a token that is not good.
    const isGood = await this.#inOne((transaction) =>
      this.#tokens(transaction).check(token, Purposes.Recovery),
    )
    if (!isGood) return null
    const hash = await this.#password.hash(password)
    const user = await this.#inOne((transaction) => this.#redeem(transaction, token, hash))
    if (user === null) return null
    await this.#endAgain(user, null)
    this.#tell(AuthEvents.Reset, user, origin)
    return user
  }

  /**
   * Ends all sessions and devices of an account but those of the browser that asks for it. The password
   * and action tokens stay.
   * @throws DatabaseError
   */
  async endOthers(user: string, { keep, device }: EndOthersOptions): Promise<void> {
    await this.#inOne(async (transaction) => {
      await new Trust(transaction, this.#options.trust).revoke(user, { except: device })
      await this.#options.sessions(transaction).destroyOf(user, keep)
    })
    await this.#endAgain(user, keep)
  }

  async #redeem(transaction: Transaction, token: string, hash: string): Promise<string | null> {
    const user = await this.#tokens(transaction).redeem(token, Purposes.Recovery)
    const users = this.#users(transaction)
    if (user === null || !(await users.store(user, hash))) return null
    await users.confirm(user)
    await this.#endAll(transaction, user, null)
    return user
  }

  async #endAll(transaction: Transaction, user: string, keep: string | null): Promise<void> {
    await this.#tokens(transaction).revoke(user)
    await new Trust(transaction, this.#options.trust).revoke(user)
    await this.#options.sessions(transaction).destroyOf(user, keep)
  }

  // A sign-in that accepted the old password, or a device that came back, may have saved its session
  // while the transaction was open, unseen by it. One that saves later finds that it no longer stands.
  async #endAgain(user: string, keep: string | null): Promise<void> {
    try {
      await this.#options.sessions(this.#database).destroyOf(user, keep)
    } catch (error) {
      this.#throwables.notify(error)
    }
  }

  // The first write to the account locks it, so those who change it at once come one by one, and each
  // must see what the one before it left. Under a stricter isolation it could be shown a picture from
  // before it waited, and lock the gaps in which sessions of other people are added.
  #inOne<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return retryOnDeadlock(this.#database, () =>
      this.#database.transaction(work, { isolation: 'read-committed' }),
    )
  }

  #users(transaction: Transaction): Users {
    return new Users(transaction, this.#password, this.#options.users)
  }

  #tokens(transaction: Transaction): Tokens {
    return new Tokens(transaction, this.#options.tokens)
  }

  #tell(event: AuthEvent, user: string, origin: CredentialsOrigin): void {
    const { peer = '', agent = '', request = null } = origin
    this.#emitter.emit(event, { user, peer, agent, request, at: this.#clock() })
  }
}
