import { Throwables } from '../../errors/throwables/throwables.ts'
import { deadlockRetries } from '../../database/transaction-options.ts'
import type { Database, Transaction } from '../../database/surface.ts'
import { isMailboxProven } from '../identity.ts'
import type { AuthEventName } from '../auth-events.ts'
import { ChangeJournal } from './change-journal.ts'
import type { Identity } from '../identity.ts'
import type {
  AccountWork,
  ChangeEmailOptions,
  ChangeOptions,
  CredentialsOptions,
  CredentialsOrigin,
  EndedSessions,
  EndOthersOptions,
  FactorChange,
  ProvenAccount,
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
  readonly #journal: ChangeJournal
  readonly #throwables: Throwables

  constructor(database: Database, password: Password, options: CredentialsOptions) {
    this.#database = database
    this.#password = password
    this.#options = options
    this.#journal = new ChangeJournal(options)
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
    const isValid = await this.#transaction((transaction) =>
      this.#tokens(transaction).check(token, Purposes.Recovery),
    )
    if (!isValid) return null
    const hash = await this.#password.hash(password, origin)
    const user = await this.#transaction(async (transaction) => {
      const redeemed = await this.#redeem(transaction, token, hash)
      if (redeemed !== null) await this.#journal.record(transaction, 'Reset', redeemed, origin)
      return redeemed
    })
    if (user === null) return null
    await this.#endNewSessions(user, null)
    this.#journal.emit('Reset', user, origin)
    return user
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
    const all = { keep: null, device: null, ...origin } as const
    return this.#change(user, 'Suspended', all, async (transaction) => {
      if (!(await this.#users(transaction).setSuspended(user, true))) return null
      await this.#tokens(transaction).revoke(user)
      return this.#endOthers(transaction, user, all)
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
    const user = await this.#transaction(async (transaction) => {
      const redeemed = await this.#tokens(transaction).redeem(token, Purposes.Verification, options)
      const isProven = redeemed !== null && redeemed === options.by
      const users = this.#users(transaction)
      if (redeemed === null || !(await users.confirm(redeemed, { isProven }))) return null
      await this.#journal.record(transaction, 'Verified', redeemed, options)
      return redeemed
    })
    if (user !== null) this.#journal.emit('Verified', user, options)
    return user
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
    const proven = await this.hold(user, { keep }, async (transaction, identity) => {
      if (!(await work(transaction, identity))) return null
      if (isMailboxProven(identity)) return { identity, events: [] }
      const events =
        keep === null
          ? await this.#claim(transaction, user, origin)
          : await this.#accept(transaction, user, origin)
      const changed = await this.#users(transaction).find(user)
      return changed === null ? null : { identity: changed, events }
    })
    if (proven === null) return null
    const { identity, events } = proven
    const isClaimed = keep === null && events.length > 0
    if (isClaimed) await this.#endNewSessions(user, null)
    for (const event of events) this.#journal.emit(event, user, origin, 'mail')
    return { identity, isClaimed }
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
    work: (
      transaction: Transaction,
    ) => Promise<FactorChange | { readonly change: FactorChange; readonly subject: string } | null>,
    options: EndOthersOptions,
  ): Promise<boolean> {
    let subject: string | null = null
    // Of two that remove the last two passkeys at once, the second must see that none is left.
    const change = await this.hold(user, options, async (transaction) => {
      const users = this.#users(transaction)
      const result = await work(transaction)
      const wanted = typeof result === 'object' && result !== null ? result.change : result
      subject = typeof result === 'object' && result !== null ? result.subject : null
      if (wanted === null || wanted === 'kept') return wanted
      // Without its name in the column the gate would not ask for a factor that was stored.
      const isSet = wanted === 'fewer' || (await users.setFactor(user, name, wanted !== 'removed'))
      if (!isSet) return null
      if (wanted !== 'another') await this.#endOthers(transaction, user, options)
      await this.#journal.record(transaction, factorEvents[wanted], user, options, name)
      return wanted
    })
    if (change === null) return false
    if (change === 'kept') return true
    if (change !== 'another') await this.#endNewSessions(user, options.keep)
    this.#journal.emit(factorEvents[change], user, options, name, subject)
    return true
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
    const change: AccountWork<true> = async (transaction, account) => {
      const email = await work(transaction, account)
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
    const change: AccountWork<T> = async (transaction, account) => {
      const done = await work(transaction, account)
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
    const result = await this.hold(user, { keep: null }, async (transaction, account) => {
      const done = await work(transaction, account)
      if (done === null) return null
      await this.#endAll(transaction, user, null)
      await this.#tokens(transaction).forget(user)
      await this.#users(transaction).remove(user)
      return done
    })
    if (result === null) return null
    await this.#endNewSessions(user, null)
    this.#journal.emit('Deleted', user, origin)
    return result
  }

  /**
   * Runs the work of any change to an account in a transaction: nobody else changes the account until it
   * ends, and the session that asks is live. Null, and nothing is changed, if there is no such account or
   * `work` resolves with null.
   * @throws FrameworkError E_SESSION_ENDED if that session has ended, or is not one in which the account is
   * signed in; DatabaseError.
   */
  hold<T>(
    user: string,
    { keep }: Pick<ChangeOptions, 'keep'>,
    work: AccountWork<T>,
  ): Promise<T | null> {
    return this.#transaction(async (transaction) => {
      const users = this.#users(transaction)
      const account = (await users.lock(user)) ? await users.find(user) : null
      // After the lock: whoever ends the session has it until the end is committed.
      const isLive = keep === null || (await this.#options.sessions(transaction).isLive(user, keep))
      if (!isLive) throw new SessionEnded()
      const result = account === null ? null : await work(transaction, account)
      if (result === null) throw new Unchanged()
      return result
    }).catch(nullIfUnchanged)
  }

  /** Makes a change, records it in its transaction and emits its event when it is committed. */
  async #change<T>(
    user: string,
    event: AuthEventName,
    options: ChangeOptions,
    work: AccountWork<T>,
    { method = null, endsNew = true }: { method?: string | null; endsNew?: boolean } = {},
  ): Promise<T | null> {
    const result = await this.hold(user, options, async (transaction, account) => {
      const done = await work(transaction, account)
      if (done !== null) await this.#journal.record(transaction, event, user, options, method)
      return done
    })
    if (result === null) return null
    if (endsNew) await this.#endNewSessions(user, options.keep)
    this.#journal.emit(event, user, options, method)
    return result
  }

  async #redeem(transaction: Transaction, token: string, hash: string): Promise<string | null> {
    const user = await this.#tokens(transaction).redeem(token, Purposes.Recovery)
    const users = this.#users(transaction)
    if (user === null || !(await users.store(user, hash))) return null
    const account = await users.find(user)
    await users.confirm(user)
    if (account !== null && !isMailboxProven(account)) {
      await this.#options.onClaim?.(transaction, user)
    }
    await this.#endAll(transaction, user, null)
    return user
  }

  async #claim(
    transaction: Transaction,
    user: string,
    origin: CredentialsOrigin,
  ): Promise<readonly AuthEventName[]> {
    const users = this.#users(transaction)
    await users.confirm(user)
    const events: AuthEventName[] = ['Verified']
    if (await users.removePassword(user)) events.push('PasswordRemoved')
    await this.#options.onClaim?.(transaction, user)
    await this.#endAll(transaction, user, null)
    for (const event of events) await this.#journal.record(transaction, event, user, origin, 'mail')
    return events
  }

  async #accept(
    transaction: Transaction,
    user: string,
    origin: CredentialsOrigin,
  ): Promise<readonly AuthEventName[]> {
    await this.#users(transaction).confirm(user)
    await this.#journal.record(transaction, 'Confirmed', user, origin, 'mail')
    return ['Confirmed']
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
    const options = { isolation: 'read-committed', retry: deadlockRetries } as const
    return this.#database.transaction(work, options)
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
