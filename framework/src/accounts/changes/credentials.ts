import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import { committedTransaction } from '../../database/transaction-options.ts'
import type { Database, Transaction } from '../../database/surface.ts'
import { Emitter } from '../../events/emitter.ts'
import { isMailboxProven } from '../identity.ts'
import { AuthEvents } from '../auth-events.ts'
import type { AuthEventName } from '../auth-events.ts'
import type { Identity } from '../identity.ts'
import type {
  AccountWork,
  ChangeEmailOptions,
  ChangeOptions,
  CredentialsOptions,
  CredentialsOrigin,
  EndedSessions,
  EndOthersOptions,
  FactorWork,
  ProvenAccount,
  TellEvent,
  VerifyEmailOptions,
} from './credentials-options.ts'
import { SessionEnded } from '../session-ended.ts'
import { passwordBytes } from '../passwords/password.ts'
import type { Password } from '../passwords/password.ts'
import { Purposes } from '../tokens/token.ts'
import { Tokens } from '../tokens/tokens.ts'
import { Trust } from '../devices/trust.ts'
import { Users } from '../users.ts'
import type { AccountRef } from '../users.ts'

/**
 * Changes the password of an account and, in the same transaction, ends everything that depended on
 * the old one: action tokens, trusted devices and sessions. Either all of it happens or nothing. A
 * failing database rejects with its DatabaseError.
 *
 * Every change locks the account and then looks whether the session that asks is live, see `hold`. Since
 * what ends sessions takes the same lock, of a change and the end of its session one comes first.
 *
 * Sessions stored elsewhere, such as in Redis, are ended right before the commit. If that fails,
 * nothing is changed; if the commit fails after it, people are signed out and nothing else is lost.
 */
export class Credentials {
  readonly #database: Database
  readonly #password: Password
  readonly #options: CredentialsOptions
  readonly #throwables: Throwables

  constructor(database: Database, password: Password, options: CredentialsOptions) {
    this.#database = database
    this.#password = password
    this.#options = options
    this.#throwables = options.throwables ?? Throwables
  }

  /**
   * Changes the password of an account. False when there is no such account, or when the password
   * is empty or too long. Pass the identity for which `users.check` accepted the old password: if
   * the password was changed since then, the result is false too.
   * @throws OverloadedError when too many hashes are waiting, DatabaseError; FrameworkError E_SESSION_ENDED.
   */
  async change(account: AccountRef, password: string, options: ChangeOptions): Promise<boolean> {
    const { keep } = options
    const user = typeof account === 'string' ? account : account.id
    if (passwordBytes(password) === null) return false
    const hash = await this.#password.hash(password, options)
    const isChanged = await this.#change(user, 'Changed', options, async (transaction) => {
      if (!(await this.#users(transaction).store(account, hash))) return null
      await this.#endAll(transaction, user, keep)
      return true
    })
    return isChanged === true
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
    const user = await this.#ownerOf(token, Purposes.Recovery)
    if (user === null) return null
    const hash = await this.#password.hash(password, origin)
    const by = { keep: null, ...origin }
    const redeem = (transaction: Transaction): Promise<string | null> =>
      this.#tokens(transaction).redeem(token, Purposes.Recovery)
    const reset = await this.#change(user, 'Reset', by, async (transaction, account) => {
      const users = this.#users(transaction)
      const isOwner = (await redeem(transaction)) === user
      if (!isOwner || !(await users.store(user, hash))) return null
      await users.confirm(user)
      if (!isMailboxProven(account)) await this.#options.onClaim?.(transaction, user)
      await this.#endAll(transaction, user, null)
      return user
    })
    // The link of an account that was deleted is used up too.
    if (reset === null) await this.#transaction(redeem)
    return reset
  }

  /**
   * Ends all sessions and devices of an account except those to keep, and resolves with how many. The
   * password and action tokens stay valid.
   * @throws DatabaseError; FrameworkError E_SESSION_ENDED.
   */
  async endOthers(user: string, options: EndOthersOptions): Promise<EndedSessions> {
    const { keep, device } = options
    const method = keep === null && device === null ? 'all' : 'others'
    const work: AccountWork<EndedSessions> = (transaction) =>
      this.#endOthers(transaction, user, options)
    const ended = await this.#change(user, 'Ended', options, work, { method })
    return ended ?? { sessions: 0, devices: 0 }
  }

  /**
   * Forgets a device of an account and ends the sessions that it has begun or revived; false if the
   * account has no such device. `handle` is that of `trust.list`.
   * @throws DatabaseError; FrameworkError E_SESSION_ENDED.
   */
  async endDevice(user: string, handle: string, options: ChangeOptions): Promise<boolean> {
    const work: AccountWork<true> = async (transaction) => {
      if (!(await new Trust(transaction, this.#options.trust).end(user, handle))) return null
      await this.#options.sessions(transaction).destroyDevice(user, handle)
      return true
    }
    const how = { method: 'device', endsNew: false }
    return (await this.#change(user, 'Ended', options, work, how)) === true
  }

  /**
   * Ends a session of an account; false if it has ended before. The digest is that of
   * `sessions.digestOf(user, handle)`, which looks only at the sessions of the account.
   * @throws DatabaseError; FrameworkError E_SESSION_ENDED.
   */
  async endSession(user: string, digest: string, options: ChangeOptions): Promise<boolean> {
    const work: AccountWork<true> = async (transaction) =>
      (await this.#options.sessions(transaction).destroy(digest)) ? true : null
    const how = { method: 'session', endsNew: false }
    return (await this.#change(user, 'Ended', options, work, how)) === true
  }

  /**
   * Suspends an account: ends its sessions, devices and links, and lets nobody in until `restore`, by
   * whatever way. Resolves with what it has ended; null if there is no such account, or if it was suspended.
   * @throws ConfigurationError if `Users` does not know the column, DatabaseError.
   */
  async suspend(user: string, origin: CredentialsOrigin = {}): Promise<EndedSessions | null> {
    return this.#change(user, 'Suspended', { keep: null, ...origin }, async (transaction) => {
      const isNew = await this.#users(transaction).setSuspended(user, true)
      return isNew ? this.#endAll(transaction, user, null) : null
    })
  }

  /**
   * Lets the owner of a suspended account in again; false if it was not suspended.
   * @throws ConfigurationError if `Users` does not know the column, DatabaseError.
   */
  async restore(user: string, origin: CredentialsOrigin = {}): Promise<boolean> {
    const work: AccountWork<true> = async (transaction) =>
      (await this.#users(transaction).setSuspended(user, false)) ? true : null
    const options = { keep: null, ...origin }
    return (await this.#change(user, 'Restored', options, work, { endsNew: false })) === true
  }

  /**
   * Redeems a verification token and marks the e-mail of its account as verified; resolves with the id of
   * the account, or null if the token is not valid.
   *
   * Unless the account is signed in where the link was opened (`by`), nobody knows who did it: mail scanners
   * open links too. Then `Verified` lets the account have nothing that lasts, and `proveMailbox` still takes
   * it for its owner, until a proof has come. `Users` needs the column `unproven` for that.
   * @throws InvalidArgumentException for a `receipt` below 1, DatabaseError.
   */
  async verifyEmail(token: string, options: VerifyEmailOptions = {}): Promise<string | null> {
    const user = await this.#ownerOf(token, Purposes.Verification)
    if (user === null) return null
    return this.hold(user, { keep: null, ...options }, async (transaction, _account, tell) => {
      const tokens = this.#tokens(transaction)
      const isOwner = (await tokens.redeem(token, Purposes.Verification, options)) === user
      const isProven = user === options.by
      if (!isOwner || !(await this.#users(transaction).confirm(user, { isProven }))) return null
      await tell('Verified')
      return user
    })
  }

  /**
   * Takes the proof that somebody reads the mails of an account: `work` uses it up and resolves with whether
   * it holds for the account as it is now. Resolves with the account, or null.
   *
   * If its e-mail was not proven it is now, and what came before ends as after a reset: sessions, devices,
   * links, the password and what `onClaim` knows of. Whoever has registered the address may be somebody
   * else, who would wait for its owner with a password of their own. Nothing ends if the proof is given in a
   * session of the account (`keep`).
   * @throws DatabaseError; FrameworkError E_SESSION_ENDED.
   */
  async proveMailbox(
    user: string,
    work: (transaction: Transaction, identity: Identity) => Promise<boolean>,
    { keep = null, ...origin }: Partial<ChangeOptions> = {},
  ): Promise<ProvenAccount | null> {
    const options = { keep, ...origin }
    const proven = await this.hold(user, options, async (transaction, identity, tell) => {
      if (!(await work(transaction, identity))) return null
      if (isMailboxProven(identity)) return { identity, isClaimed: false }
      const users = this.#users(transaction)
      await users.confirm(user)
      const isClaimed = keep === null
      await tell(isClaimed ? 'Verified' : 'Confirmed', 'mail')
      if (isClaimed) {
        if (await users.removePassword(user)) await tell('PasswordRemoved', 'mail')
        await this.#options.onClaim?.(transaction, user)
        await this.#endAll(transaction, user, null)
      }
      const changed = await users.find(user)
      return changed === null ? null : { identity: changed, isClaimed }
    })
    if (proven?.isClaimed === true) await this.#endNewSessions(user, null)
    return proven
  }

  /**
   * Adds a factor to an account, or removes one, and ends the sessions and devices that it did not
   * protect, except those to keep: see `FactorChange`. `work` stores or deletes what belongs to it in the
   * same transaction; null changes nothing, and the result is false. `AuthEvents` tell the owner; with a
   * `subject`, which one was added.
   * @throws ConfigurationError if `Users` does not know the column of factors, DatabaseError; FrameworkError
   * E_SESSION_ENDED.
   */
  async changeFactor(
    user: string,
    name: string,
    work: FactorWork,
    options: EndOthersOptions,
  ): Promise<boolean> {
    // Of two that remove the last two passkeys at once, the second must see that none is left.
    const change = await this.hold(user, options, async (transaction, _account, tell) => {
      const users = this.#users(transaction)
      const result = await work(transaction)
      const isNamed = typeof result === 'object' && result !== null
      const wanted = isNamed ? result.change : result
      if (wanted === null || wanted === 'kept') return wanted
      // Without its name in the column the gate would not ask for a factor that was stored.
      const isSet = wanted === 'fewer' || (await users.setFactor(user, name, wanted !== 'removed'))
      if (!isSet) return null
      if (wanted !== 'another') await this.#endOthers(transaction, user, options)
      await tell(factorEvents[wanted], name, isNamed ? result.subject : undefined)
      return wanted
    })
    const isOver = change !== null && change !== 'kept' && change !== 'another'
    if (isOver) await this.#endNewSessions(user, options.keep)
    return change !== null
  }

  /**
   * Changes the e-mail of an account to the one that `work` resolves with, which counts as verified, and
   * ends what depended on the former one: action tokens, sessions and devices except those to keep.
   * `taken` if another account has the address, or can take it back; then nothing is changed.
   * @throws DatabaseError; FrameworkError E_SESSION_ENDED.
   */
  async changeEmail(
    user: string,
    work: AccountWork<string>,
    options: ChangeEmailOptions,
  ): Promise<'changed' | 'taken' | null> {
    const isRestored = options.as === 'restored'
    let isTaken = false
    const event = isRestored ? 'EmailRestored' : 'EmailChanged'
    const change: AccountWork<true> = async (transaction, account, tell) => {
      const email = await work(transaction, account, tell)
      if (email === null) return null
      const users = this.#users(transaction)
      isTaken = !(await users.rename(user, email))
      if (isTaken) return null
      if (isRestored) await users.removePassword(user)
      await this.#tokens(transaction).revoke(user)
      return true
    }
    const changed = await this.changeAndEndOthers(user, event, change, options)
    if (changed !== null) return 'changed'
    return isTaken ? 'taken' : null
  }

  /**
   * Changes something else of an account: runs `work`, ends all sessions and devices except those to keep
   * and records the event, in one transaction, and then emits the event; `method` says how it was done.
   * Resolves with what `work` does.
   * @throws DatabaseError; FrameworkError E_SESSION_ENDED.
   */
  changeAndEndOthers<T>(
    user: string,
    event: AuthEventName,
    work: AccountWork<T>,
    options: EndOthersOptions & { readonly method?: string },
  ): Promise<T | null> {
    const change: AccountWork<T> = async (transaction, account, tell) => {
      const done = await work(transaction, account, tell)
      if (done !== null) await this.#endOthers(transaction, user, options)
      return done
    }
    return this.#change(user, event, options, change, options)
  }

  /**
   * Deletes an account with its action tokens, devices and sessions, after `work` has deleted the rest of
   * what belongs to it. Resolves with what `work` does; null if there is no such account, or if `work`
   * resolves with null: then nothing is deleted.
   * @throws DatabaseError
   */
  async delete<T>(
    user: string,
    work: AccountWork<T>,
    origin: CredentialsOrigin = {},
  ): Promise<T | null> {
    const result = await this.hold(user, { keep: null }, async (transaction, account, tell) => {
      const done = await work(transaction, account, tell)
      if (done === null) return null
      await this.#endAll(transaction, user, null)
      await this.#tokens(transaction).forget(user)
      await this.#users(transaction).remove(user)
      return done
    })
    if (result === null) return null
    await this.#endNewSessions(user, null)
    this.#emit(user, origin, 'Deleted')
    return result
  }

  /**
   * Runs the work of any change to an account in a transaction: nobody else changes the account until it
   * ends, and the session that asks is live. What `work` tells is recorded in the same transaction. Null, and
   * nothing is changed, if there is no such account or `work` resolves with null.
   * @throws FrameworkError E_SESSION_ENDED if that session has ended, or is not one in which the account is
   * signed in; DatabaseError.
   */
  async hold<T>(
    user: string,
    { keep, ...origin }: ChangeOptions,
    work: AccountWork<T>,
  ): Promise<T | null> {
    let told: Parameters<TellEvent>[] = []
    const result = await this.#transaction(async (transaction) => {
      told = []
      const users = this.#users(transaction)
      const account = (await users.lock(user)) ? await users.find(user) : null
      // After the lock: whoever ends the session has it until the end is committed.
      const isLive = keep === null || (await this.#options.sessions(transaction).isLive(user, keep))
      if (!isLive) throw new SessionEnded()
      const tell: TellEvent = async (event, method = null, subject) => {
        const { activity } = this.#options
        await activity?.within(transaction).record({ ...origin, user, event, method })
        told.push([event, method, subject])
      }
      const result = account === null ? null : await work(transaction, account, tell)
      if (result === null) throw new Unchanged()
      return result
    }).catch(nullIfUnchanged)
    if (result !== null) for (const event of told) this.#emit(user, origin, ...event)
    return result
  }

  /** Makes a change and tells of it. */
  async #change<T>(
    user: string,
    event: AuthEventName,
    options: ChangeOptions,
    work: AccountWork<T>,
    { method = null, endsNew = true }: { method?: string | null; endsNew?: boolean } = {},
  ): Promise<T | null> {
    const result = await this.hold(user, options, async (transaction, account, tell) => {
      const done = await work(transaction, account, tell)
      if (done !== null) await tell(event, method)
      return done
    })
    if (result !== null && endsNew) await this.#endNewSessions(user, options.keep)
    return result
  }

  #emit(
    user: string,
    { peer = '', agent = '', request = null, route = null, actor }: CredentialsOrigin,
    ...[event, method = null, subject]: Parameters<TellEvent>
  ): void {
    const { emitter = Emitter.Instance, clock = epochSeconds } = this.#options
    const origin = { peer, agent, request, route, ...(actor !== undefined && { actor }) }
    const details = { method, ...(subject !== undefined && { subject }) }
    emitter.emit(AuthEvents[event], { user, ...details, ...origin, at: Math.floor(clock()) })
  }

  async #endOthers(
    transaction: Transaction,
    user: string,
    { keep, device }: EndOthersOptions,
  ): Promise<EndedSessions> {
    const trust = new Trust(transaction, this.#options.trust)
    const devices = await trust.revoke(user, { except: device })
    return { devices, sessions: await this.#options.sessions(transaction).destroyOf(user, keep) }
  }

  async #endAll(
    transaction: Transaction,
    user: string,
    keep: string | null,
  ): Promise<EndedSessions> {
    await this.#tokens(transaction).revoke(user)
    return this.#endOthers(transaction, user, { keep, device: null })
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
    return committedTransaction(this.#database, work)
  }

  /** Inside a transaction a failing database throws. */
  #ownerOf(token: string, purpose: Purposes): Promise<string | null> {
    return this.#transaction((transaction) => this.#tokens(transaction).owner(token, purpose))
  }

  #users(transaction: Transaction): Users {
    return new Users(transaction, this.#password, this.#options.users)
  }

  #tokens(transaction: Transaction): Tokens {
    return new Tokens(transaction, this.#options.tokens)
  }
}

/** Rolls a transaction back whose work has come to nothing. */
class Unchanged extends Error {}

function nullIfUnchanged(error: unknown): null {
  if (error instanceof Unchanged) return null
  throw error
}

const factorEvents = {
  added: 'FactorAdded',
  another: 'FactorAdded',
  removed: 'FactorRemoved',
  fewer: 'FactorRemoved',
} as const
