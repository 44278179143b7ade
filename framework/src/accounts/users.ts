import { invalidArgument } from '../base/errors.ts'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import type { Surface, Transaction } from '../database/surface.ts'
import { deadlockRetries } from '../database/transaction-options.ts'
import type { Identity } from './identity.ts'
import { keepState, stateOf } from './identity.ts'
import { normalEmail } from './email-address.ts'
import { passwordBytes } from './passwords/password.ts'
import type { HashingOptions, Password } from './passwords/password.ts'
import { failClosed, reportOrThrow } from './fail-closed.ts'
import type { FailureOptions } from './fail-closed.ts'
import { UsersRows } from './users-rows.ts'
import type { FieldKinds, UsersDates, UsersNames, UsersRow } from './users-rows.ts'

/** Options of `Users`: names that differ from those of `createUsersTable`. */
export interface UsersOptions extends Partial<UsersNames>, FailureOptions {
  /** The current time in epoch seconds. */
  readonly clock?: () => number
}

/** Options of `Users.enroll`. */
export interface EnrollOptions<Fields extends object = object> extends HashingOptions {
  /** The columns of the project. @default those of the table */
  readonly fields?: Partial<Fields>
  /** Runs in the transaction that adds the account; if it throws, there is no account. */
  readonly alongside?: (transaction: Transaction, user: string) => Promise<unknown>
}

/** An account by its id, or by an identity, which is tied to the password it was read with. */
export type AccountRef = string | Pick<Identity, 'id'>

/**
 * The user accounts. When the database fails, every method except `find` reports the error and
 * returns null or false, or throws it with `onFailure: 'throw'`; inside a transaction it rethrows, so that
 * the transaction is not committed in part.
 */
export class Users<Fields extends object = object> {
  readonly #surface: Surface
  readonly #rows: UsersRows
  readonly #reserves: boolean
  readonly #password: Password
  readonly #options: UsersOptions
  readonly #clock: () => number

  /** @throws InvalidArgumentException for a name that no table or column can have. */
  constructor(surface: Surface, password: Password, options: UsersOptions = {}) {
    this.#options = options
    const { table = 'users', key = 'id', identifier = 'email', secret = 'password' } = options
    const { verified = 'email_verified_at', created = 'created_at', factors = null } = options
    const { suspended = null, unproven = null, emailChanges = null, fields = {} } = options
    const { clock = epochSeconds } = options
    const columns = { key, identifier, secret, verified, created, factors, suspended, unproven }
    const names = { table, ...columns, emailChanges, fields: checkedFields(fields) }
    this.#rows = new UsersRows(surface, names)
    this.#reserves = emailChanges !== null
    this.#surface = surface
    this.#password = password
    this.#clock = clock
  }

  /** The same accounts on another surface: a transaction, whose outcome changes share. */
  within(surface: Surface): Users<Fields> {
    return new Users(surface, this.#password, this.#options)
  }

  /**
   * Creates an account and resolves with its id; null when the e-mail is taken, when e-mail or
   * password is not acceptable, or when the database fails. An enclosing transaction stays usable.
   * @throws OverloadedError when too many hashes are waiting.
   */
  async enroll(
    email: string,
    password: string,
    options: EnrollOptions<Fields> = {},
  ): Promise<string | null> {
    const identifier = normalEmail(email)
    if (identifier === null || passwordBytes(password) === null) return null
    // Before the lookup: a taken e-mail costs as much as a free one.
    const hash = await this.#password.hash(password, options)
    return this.#insert(identifier, hash, options).catch((error: unknown) => {
      reportOrThrow(error, this.#options)
      return null
    })
  }

  /**
   * Creates an account without a password, for somebody whose e-mail was verified elsewhere, and resolves
   * with its id; null when the e-mail is taken, reserved or not acceptable. A mailed link gives it a
   * password.
   * @throws DatabaseError, and whatever `alongside` throws; then there is no account.
   */
  async enrollVerified(
    email: string,
    { alongside }: Pick<EnrollOptions, 'alongside'> = {},
  ): Promise<string | null> {
    const identifier = normalEmail(email)
    if (identifier === null) return null
    return this.#claim(identifier, async (rows, transaction) => {
      const user = await rows.insert(identifier, null)
      if (user === null) return null
      await rows.stamp({ id: user }, Math.floor(this.#clock()))
      await alongside?.(transaction, user)
      return user
    })
  }

  /**
   * The account with this e-mail and password. Right, wrong or unknown, it costs the same query and
   * one hash. On success an outdated hash is replaced.
   * @throws OverloadedError when too many hashes are waiting.
   */
  async verify(
    email: string,
    password: string,
    options: HashingOptions = {},
  ): Promise<(Identity & Fields) | null> {
    const accepted = await this.#checkPassword(await this.#byEmail(email), password, options)
    return accepted === null ? null : this.#identityOf(accepted)
  }

  /**
   * Whether this is the password of an account. Costs the same as `verify`. On success, an identity
   * such as `request.identity` is tied to the accepted password.
   * @throws OverloadedError when too many hashes are waiting.
   */
  async check(user: AccountRef, password: string, options: HashingOptions = {}): Promise<boolean> {
    const id = typeof user === 'string' ? user : user.id
    const row = await this.#failClosed(null, () => this.#rows.byKey(id))
    const accepted = await this.#checkPassword(row, password, options)
    if (accepted === null) return false
    if (typeof user !== 'string') keepState(user, accepted)
    return true
  }

  /** The account with this e-mail. */
  async fetch(email: string): Promise<(Identity & Fields) | null> {
    const row = await this.#byEmail(email)
    return row === null ? null : this.#identityOf(row)
  }

  /**
   * The account with this id. Null only if there is none: a database failure must not sign anyone
   * out.
   * @throws DatabaseError
   */
  async find(user: string): Promise<(Identity & Fields) | null> {
    const row = await this.#rows.byKey(user)
    return row === null ? null : this.#identityOf(row)
  }

  /**
   * When an account was created and verified; null if there is none.
   * @throws DatabaseError, also for a table without the column `created`.
   */
  dates(user: string): Promise<UsersDates | null> {
    return this.#rows.dates(user)
  }

  /** Whether an account has a password; one that only signs in by other ways has none. */
  async hasPassword(user: string): Promise<boolean> {
    return this.#withRow(user, ({ secret }) => secret !== null)
  }

  /**
   * Changes a password. Tokens, devices and sessions of the account are left alone: `Credentials`
   * ends them in the same step.
   * @throws OverloadedError when too many hashes are waiting.
   */
  async rotate(user: string, password: string, options: HashingOptions = {}): Promise<boolean> {
    if (passwordBytes(password) === null) return false
    return this.store(user, await this.#password.hash(password, options))
  }

  /** Changes columns of the project; false if there is no such account. */
  assign(user: string, fields: Partial<Fields>): Promise<boolean> {
    return this.#withRow(user, (row) => this.#rows.assign(row, { ...fields }))
  }

  /**
   * Stores a hash that was computed before, so that a transaction need not stay open during the
   * hashing. For an identity: false if the password has changed since the identity was read.
   * @throws InvalidArgumentException for a text that is not a current hash.
   */
  async store(user: AccountRef, hash: string): Promise<boolean> {
    // Guards against storing a plain password by mistake.
    if (!this.#password.conforms(hash)) {
      throw invalidArgument(
        'store() takes a hash made by hash() of the same Password; use rotate() for a plain password',
      )
    }
    if (typeof user === 'string') return this.#withRow(user, (row) => this.#rows.replace(row, hash))
    const state = stateOf(user)
    if (state === null) return false
    return this.#failClosed(false, () => this.#rows.swap({ ...user, secret: state.secret }, hash))
  }

  /** Deletes the password of an account, until a reset sets a new one; false if it had none. */
  async removePassword(user: string): Promise<boolean> {
    return this.#withRow(user, (row) => this.#rows.clear(row))
  }

  /**
   * Marks the e-mail as verified, keeping an earlier time; false if there is no such account. With
   * `isProven: false` nobody knows whether its owner did it: see `Credentials.verifyEmail`.
   */
  async confirm(
    user: string,
    { isProven = true }: { readonly isProven?: boolean } = {},
  ): Promise<boolean> {
    return this.#withRow(user, (row) => {
      const now = Math.floor(this.#clock())
      return isProven ? this.#rows.stamp(row, now) : this.#rows.stampUnproven(row, now)
    })
  }

  /**
   * Whether whoever has an account has shown that they read the mails to its address; false until it is
   * verified, and while only a link has done that: see `Credentials.verifyEmail`.
   */
  async isProven(user: string): Promise<boolean> {
    return this.#withRow(user, ({ isVerified, isProven }) => isVerified && isProven)
  }

  /**
   * Sets the e-mail of an account, which counts as verified; false if it is not acceptable, taken or
   * reserved. What depends on the former one is left alone: `Credentials.changeEmail` ends it in the same
   * step.
   */
  async rename(user: string, email: string): Promise<boolean> {
    const identifier = normalEmail(email)
    if (identifier === null) return false
    const renamed = await this.#failClosed(null, () =>
      this.#claim(identifier, async (rows) => {
        const row = await rows.byKey(user)
        const now = Math.floor(this.#clock())
        return row !== null && (await rows.rename(row, identifier, now)) ? user : null
      }),
    )
    return renamed !== null
  }

  /** Whether the owner of another account than `user` can still take this e-mail back. */
  async isReserved(email: string, user: string = ''): Promise<boolean> {
    const identifier = normalEmail(email)
    if (identifier === null) return false
    const now = Math.floor(this.#clock())
    return this.#failClosed(false, () => this.#rows.isReserved(identifier, user, now))
  }

  /**
   * Deletes an account; false if there is none. What belongs to it is left alone: `Credentials.delete`
   * deletes it in the same step.
   */
  async remove(user: string): Promise<boolean> {
    return this.#withRow(user, (row) => this.#rows.remove(row))
  }

  /**
   * Keeps others from changing an account until the transaction ends; false if there is no such account.
   */
  async lock(user: string): Promise<boolean> {
    return this.#withRow(user, () => true, 'update')
  }

  /**
   * Records that an account has a factor, or has it no more; false if there is no such account. What
   * depends on the change is left alone: `Credentials.changeFactor` ends it in the same step.
   * @throws ConfigurationError without the column `factors`.
   */
  async setFactor(user: string, name: string, isEnrolled: boolean): Promise<boolean> {
    return this.#withRow(user, (row) => this.#rows.swapFactor(row, name, isEnrolled), 'update')
  }

  /**
   * Suspends an account, so that nobody gets in, or restores it; false if it was so before. What is signed in
   * is left alone: `Credentials.suspend` ends it in the same step.
   * @throws ConfigurationError without the column `suspended`.
   */
  async setSuspended(user: string, isSuspended: boolean): Promise<boolean> {
    const since = isSuspended ? Math.floor(this.#clock()) : null
    return this.#withRow(user, (row) => this.#rows.suspend(row, since))
  }

  /**
   * Whether the password is still the one this identity object was read with, or that `verify` or
   * `check` accepted for it, and the account has the same factors and was not suspended since. Waits for a
   * concurrent change to finish.
   */
  async isUnchanged(identity: Identity): Promise<boolean> {
    const state = stateOf(identity)
    if (state === null) return false
    // The names of factors are sorted, as the column holds them.
    const isSame = ({ secret, isSuspended, factors }: UsersRow): boolean =>
      secret === state.secret &&
      isSuspended === state.isSuspended &&
      factors.join(' ') === state.factors.join(' ')
    return this.#withRow(identity.id, isSame, 'share')
  }

  #insert(
    email: string,
    hash: string,
    { alongside, fields = {} }: EnrollOptions<Fields>,
  ): Promise<string | null> {
    const own = { ...fields }
    if (alongside === undefined && !this.#reserves) return this.#rows.insert(email, hash, own)
    return this.#claim(email, async (rows, transaction) => {
      const user = await rows.insert(email, hash, own)
      if (user !== null) await alongside?.(transaction, user)
      return user
    })
  }

  // The reservation is looked for after the write, since it comes with the change that frees the
  // address: whoever was able to write it sees that change.
  async #claim(
    email: string,
    write: (rows: UsersRows, transaction: Transaction) => Promise<string | null>,
  ): Promise<string | null> {
    let isReserved = false
    const work = async (transaction: Transaction): Promise<string | null> => {
      const rows = this.#rows.within(transaction)
      const user = await write(rows, transaction)
      if (user === null) return null
      isReserved = await rows.isReserved(email, user, Math.floor(this.#clock()))
      if (isReserved) throw new Error('this address is reserved')
      return user
    }
    // Several that want one address at once may wait for each other.
    const claiming = this.#surface.transaction(work, { retry: deadlockRetries })
    return claiming.catch((error: unknown) => {
      if (isReserved) return null
      throw error
    })
  }

  // Always costs one hash at the current cost; resolves with the row, and its hash after an upgrade.
  async #checkPassword(
    row: UsersRow | null,
    password: string,
    options: HashingOptions,
  ): Promise<UsersRow | null> {
    const { valid, hash } = await this.#password.inspect(password, row?.secret ?? null, options)
    if (row === null || !valid) return null
    return hash === null ? row : this.#upgradeHash(row, password, hash, options)
  }

  // Replaces only the hash that was checked: a concurrent password change must not be undone.
  async #upgradeHash(
    row: UsersRow,
    password: string,
    hash: string,
    options: HashingOptions,
  ): Promise<UsersRow | null> {
    // The password was right; failing to upgrade its hash is no reason to reject it.
    const failures = { ...this.#options, onFailure: 'refuse' } as const
    const swap = (): Promise<boolean> => this.#rows.swap(row, hash)
    const isSet = await failClosed(this.#surface, failures, null, swap)
    if (isSet === true) return { ...row, secret: hash }
    if (isSet === null) return row
    const now = await this.#failClosed(null, () => this.#rows.byKey(row.id))
    const { valid } = await this.#password.inspect(password, now?.secret ?? null, options)
    return valid ? now : null
  }

  #identityOf({ id, email, isVerified, fields, ...state }: UsersRow): Identity & Fields {
    // The options say which columns there are, and of which kind.
    const identity = Object.freeze({ ...(fields as Fields), id, email, verified: isVerified })
    keepState(identity, state)
    return identity
  }

  async #byEmail(email: string): Promise<UsersRow | null> {
    const identifier = normalEmail(email)
    if (identifier === null) return null
    return this.#failClosed(null, () => this.#rows.byEmail(identifier))
  }

  /** False if there is no such account. */
  #withRow(
    user: string,
    work: (row: UsersRow) => boolean | Promise<boolean>,
    lock?: 'share' | 'update',
  ): Promise<boolean> {
    return this.#failClosed(false, async () => {
      const row = await this.#rows.byKey(user, lock)
      return row !== null && work(row)
    })
  }

  #failClosed<T, Refusal>(refusal: Refusal, ask: () => Promise<T>): Promise<T | Refusal> {
    return failClosed(this.#surface, this.#options, refusal, ask)
  }
}

function checkedFields(fields: FieldKinds): FieldKinds {
  const taken = ['id', 'email', 'verified'].find((name) => Object.hasOwn(fields, name))
  if (taken === undefined) return fields
  throw invalidArgument(
    `${taken} is a name of the framework; call the column of accounts otherwise`,
  )
}
