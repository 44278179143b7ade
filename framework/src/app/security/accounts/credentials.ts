import { Throwables } from '../../../base/throwables/throwables.ts'
import type { Database, Transaction } from '../../../data/database/surface.ts'
import { retryOnDeadlock } from '../../../data/tables/retry-on-deadlock.ts'
import { Emitter } from '../../../services/events/emitter.ts'
import { AuthEvents } from './auth-events.ts'
import type { AuthEventName } from './auth-events.ts'
import type {
  ChangeOptions,
  CredentialsOptions,
  CredentialsOrigin,
  EndOthersOptions,
  FactorChange,
  VerifyEmailOptions,
} from './credentials-options.ts'
import { passwordBytes } from '../passwords/password-text.ts'
import type { Password } from '../passwords/password.ts'
import { Purposes } from '../tokens/purposes.ts'
import { Tokens } from '../tokens/tokens.ts'
import { Trust } from '../tokens/trust.ts'
import { Users } from './users.ts'
import type { AccountRef } from './users.ts'

/**
 * Changes the password of an account and, in the same transaction, ends everything that depended on
 * the old one: action tokens, trusted devices and sessions. Either all of it happens or nothing. A
 * failing database rejects with its DatabaseError.
 *
 * Sessions stored elsewhere, such as in Redis, are ended right before the commit. If that fails,
 * nothing is changed; if the commit fails after it, people are signed out and nothing else is lost.
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
   * Changes the password of an account. False when there is no such account, or when the password
   * is empty or too long. Pass the identity for which `users.check` accepted the old password: if
   * the password was changed since then, the result is false too.
   * @throws OverloadedError when too many hashes are waiting, DatabaseError.
   */
  async change(account: AccountRef, password: string, options: ChangeOptions): Promise<boolean> {
    const { keep } = options
    const user = typeof account === 'string' ? account : account.id
    if (passwordBytes(password) === null) return false
    const hash = await this.#password.hash(password, options)
    const isChanged = await this.#transaction(async (transaction) => {
      if (!(await this.#users(transaction).store(account, hash))) return false
      await this.#endAll(transaction, user, keep)
      await this.#record(transaction, 'Changed', user, options)
      return true
    })
    if (!isChanged) return false
    await this.#endNewSessions(user, keep)
    this.#emit('Changed', user, options)
    return true
  }

  /**
   * Sets the password of the account that a recovery token belongs to, and resolves with its id.
   * Since the token was mailed, the e-mail counts as verified too. Null when the token is not
   * valid, or when the password is empty or too long, which leaves the token valid.
   * @throws OverloadedError when too many hashes are waiting, DatabaseError.
   */
  async reset(
    token: string,
    password: string,
    origin: CredentialsOrigin = {},
  ): Promise<string | null> {
    if (passwordBytes(password) === null) return null
    // An invalid token must not cost a hash.
    const isValid = await this.#transaction((transaction) =>
      this.#tokens(transaction).check(token, Purposes.Recovery),
    )
    if (!isValid) return null
    const hash = await this.#password.hash(password, origin)
    const user = await this.#transaction(async (transaction) => {
      const redeemed = await this.#redeem(transaction, token, hash)
      if (redeemed !== null) await this.#record(transaction, 'Reset', redeemed, origin)
      return redeemed
    })
    if (user === null) return null
    await this.#endNewSessions(user, null)
    this.#emit('Reset', user, origin)
    return user
  }

  /**
   * Ends all sessions and devices of an account except those to keep. The password and action
   * tokens stay valid.
   * @throws DatabaseError
   */
  async endOthers(user: string, options: EndOthersOptions): Promise<void> {
    const { keep } = options
    await this.#transaction(async (transaction) => {
      await this.#endOthers(transaction, user, options)
      await this.#record(transaction, 'Ended', user, options, 'others')
    })
    await this.#endNewSessions(user, keep)
    this.#emit('Ended', user, options, 'others')
  }

  /**
   * Forgets a device of an account and ends the sessions that it has begun or revived; false if the
   * account has no such device. `handle` is that of `trust.list`.
   * @throws DatabaseError
   */
  async endDevice(user: string, handle: string, origin: CredentialsOrigin = {}): Promise<boolean> {
    const isEnded = await this.#transaction(async (transaction) => {
      if (!(await new Trust(transaction, this.#options.trust).end(user, handle))) return false
      await this.#options.sessions(transaction).destroyDevice(user, handle)
      await this.#record(transaction, 'Ended', user, origin, 'device')
      return true
    })
    if (isEnded) this.#emit('Ended', user, origin, 'device')
    return isEnded
  }

  /**
   * Ends a session of an account; false if it has ended before. The digest is that of
   * `sessions.digestOf(user, handle)`, which looks only at the sessions of the account.
   * @throws DatabaseError
   */
  async endSession(user: string, digest: string, origin: CredentialsOrigin = {}): Promise<boolean> {
    const isEnded = await this.#transaction(async (transaction) => {
      if (!(await this.#options.sessions(transaction).destroy(digest))) return false
      await this.#record(transaction, 'Ended', user, origin, 'session')
      return true
    })
    if (isEnded) this.#emit('Ended', user, origin, 'session')
    return isEnded
  }

  /**
   * Redeems a verification token and marks the e-mail of its account as verified; resolves with the id of
   * the account, or null if the token is not valid.
   * @throws InvalidArgumentException for a `receipt` below 1, DatabaseError.
   */
  async verifyEmail(token: string, options: VerifyEmailOptions = {}): Promise<string | null> {
    const user = await this.#transaction(async (transaction) => {
      const redeemed = await this.#tokens(transaction).redeem(token, Purposes.Verification, options)
      if (redeemed === null || !(await this.#users(transaction).confirm(redeemed))) return null
      await this.#record(transaction, 'Verified', redeemed, options)
      return redeemed
    })
    if (user !== null) this.#emit('Verified', user, options)
    return user
  }

  /**
   * Adds a factor to an account, or removes one, and ends the sessions and devices that it did not
   * protect, except those to keep. `work` stores or deletes what belongs to the factor in the same
   * transaction; if it resolves with null, nothing is changed and the result is false. The owner is told
   * by `AuthEvents.FactorAdded` or `AuthEvents.FactorRemoved`.
   * @throws ConfigurationError if `Users` does not know the column of factors, DatabaseError.
   */
  async changeFactor(
    user: string,
    name: string,
    work: (transaction: Transaction) => Promise<FactorChange | null>,
    options: EndOthersOptions,
  ): Promise<boolean> {
    const change = await this.#transaction(async (transaction) => {
      const users = this.#users(transaction)
      // Of two that remove the last two passkeys at once, the second must see that none is left.
      const wanted = (await users.lock(user)) ? await work(transaction) : null
      if (wanted === null) throw new Unchanged()
      if (wanted === 'kept') return wanted
      await users.setFactor(user, name, wanted === 'added')
      await this.#endOthers(transaction, user, options)
      await this.#record(transaction, factorEvents[wanted], user, options, name)
      return wanted
    }).catch(nullIfUnchanged)
    if (change === null) return false
    if (change === 'kept') return true
    await this.#endNewSessions(user, options.keep)
    this.#emit(factorEvents[change], user, options, name)
    return true
  }

  /**
   * Takes an identity of another site from an account, and ends the sessions and devices that it may have
   * begun, except those to keep. `work` deletes it in the same transaction, with the account locked; if it
   * resolves with false, nothing is changed. The owner is told by `AuthEvents.IdentityUnlinked`.
   * @throws DatabaseError
   */
  async unlinkIdentity(
    user: string,
    name: string,
    work: (transaction: Transaction) => Promise<boolean>,
    options: EndOthersOptions,
  ): Promise<boolean> {
    const isUnlinked = await this.#transaction(async (transaction) => {
      const isGone = (await this.#users(transaction).lock(user)) && (await work(transaction))
      if (!isGone) throw new Unchanged()
      await this.#endOthers(transaction, user, options)
      await this.#record(transaction, 'IdentityUnlinked', user, options, name)
      return true
    }).catch(nullIfUnchanged)
    if (isUnlinked === null) return false
    await this.#endNewSessions(user, options.keep)
    this.#emit('IdentityUnlinked', user, options, name)
    return true
  }

  async #redeem(transaction: Transaction, token: string, hash: string): Promise<string | null> {
    const user = await this.#tokens(transaction).redeem(token, Purposes.Recovery)
    const users = this.#users(transaction)
    if (user === null || !(await users.store(user, hash))) return null
    await users.confirm(user)
    await this.#endAll(transaction, user, null)
    return user
  }

  async #endOthers(
    transaction: Transaction,
    user: string,
    { keep, device }: EndOthersOptions,
  ): Promise<void> {
    await new Trust(transaction, this.#options.trust).revoke(user, { except: device })
    await this.#options.sessions(transaction).destroyOf(user, keep)
  }

  async #endAll(transaction: Transaction, user: string, keep: string | null): Promise<void> {
    await this.#tokens(transaction).revoke(user)
    await new Trust(transaction, this.#options.trust).revoke(user)
    await this.#options.sessions(transaction).destroyOf(user, keep)
  }

  // A concurrent sign-in with the old password, or a returning device, may have saved its session
  // while the transaction was open. One that saves later notices the change itself.
  async #endNewSessions(user: string, keep: string | null): Promise<void> {
    try {
      await this.#options.sessions(this.#database).destroyOf(user, keep)
    } catch (error) {
      this.#throwables.notify(error)
    }
  }

  // The first write locks the account, so concurrent changes run one after the other, and each must
  // see what the previous one committed. A stricter isolation could read a snapshot from before the
  // wait, and would lock the gaps into which other people's sessions are inserted.
  #transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
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

  async #record(
    transaction: Transaction,
    event: AuthEventName,
    user: string,
    { peer = '', agent = '', request = null, actor = user }: CredentialsOrigin,
    method: string | null = null,
  ): Promise<void> {
    const activity = this.#options.activity?.within(transaction)
    await activity?.record({ user, event, method, peer, agent, request, actor })
  }

  #emit(
    event: AuthEventName,
    user: string,
    { peer = '', agent = '', request = null, route = null }: CredentialsOrigin,
    method: string | null = null,
  ): void {
    const at = this.#clock()
    this.#emitter.emit(AuthEvents[event], { user, peer, agent, method, request, route, at })
  }
}

/** Rolls a transaction back whose work has come to nothing. */
class Unchanged extends Error {}

function nullIfUnchanged(error: unknown): null {
  if (error instanceof Unchanged) return null
  throw error
}

const factorEvents = { added: 'FactorAdded', removed: 'FactorRemoved' } as const
