import { Throwables } from '../../../base/throwables/throwables.ts'
import { InvalidArgumentException } from '../../../base/errors.ts'
import type { Surface } from '../../../data/database/surface.ts'
import type { Identity } from './identity.ts'
import { normalEmail } from './normal-email.ts'
import { passwordBytes } from '../passwords/password-text.ts'
import type { Password } from '../passwords/password.ts'
import { UsersRows } from './users-rows.ts'
import type { UsersNames, UsersRow } from './users-rows.ts'

/** Where accounts are kept: names that differ from those of `createUsersTable`. */
export interface UsersOptions extends Partial<UsersNames> {
  /** Hears of failures of the database that an answer hides. */
  readonly throwables?: Throwables
  /** Epoch seconds, in place of the time of day. */
  readonly clock?: () => number
}

/** An account by its id, or as an object that stands on the secret it was read or checked with. */
export type AccountRef = string | Pick<Identity, 'id'>

/** The secret that an identity stands on. Not in the identity itself: those are logged and shown. */
const secrets = new WeakMap<object, string | null>()

/**
 * The accounts of people. A failing database makes every answer but that of `find` a refusal (null,
 * false) and is reported; in a transaction it is thrown, so that no half of one is kept.
 */
export class Users {
  readonly #rows: UsersRows
  readonly #transactional: boolean
  readonly #password: Password
  readonly #throwables: Throwables
  readonly #clock: () => number

  /** @throws InvalidArgumentException for a name that no table or column can have. */
  constructor(surface: Surface, password: Password, options: UsersOptions = {}) {
    const { table = 'users', key = 'id', identifier = 'email', secret = 'password' } = options
    const { verified = 'email_verified_at', throwables = Throwables } = options
    const { clock = () => Date.now() / 1000 } = options
    this.#rows = new UsersRows(surface, { table, key, identifier, secret, verified })
    this.#transactional = surface.transactional
    this.#password = password
    this.#throwables = throwables
    this.#clock = clock
  }

  /**
   * Makes an account and resolves with its id; null when the e-mail has one, when e-mail or password
   * cannot be, or when the database fails. A transaction it is part of can go on after each of these.
   * @throws OverloadedError when too many hashes are waiting.
   */
  async enroll(email: string, password: string): Promise<string | null> {
    const identifier = normalEmail(email)
    if (identifier === null || passwordBytes(password) === null) return null
    // Before the e-mail is looked at: one that is taken costs as much as a free one.
    const hash = await this.#password.hash(password)
    return this.#rows.insert(identifier, hash).catch((error: unknown) => {
      this.#throwables.notify(error)
      return null
    })
  }

  /**
   * Who signs in with an e-mail and a password. Right, wrong or unknown, it is the same query and one
   * hash of the current cost. A right password with a hash of another kind has it replaced.
   * @throws OverloadedError when too many hashes are waiting.
   */
  async verify(email: string, password: string): Promise<Identity | null> {
    const identifier = normalEmail(email)
    const row =
      identifier === null
        ? null
        : await this.#failClosed(null, () => this.#rows.byEmail(identifier))
    const accepted = await this.#accepted(row, password)
    return accepted === null ? null : identityOf(accepted)
  }

  /**
   * Whether it is the password of an account. It costs what `verify` does. An identity, such as
   * `request.identity`, stands on what was accepted from then on.
   * @throws OverloadedError when too many hashes are waiting.
   */
  async check(user: AccountRef, password: string): Promise<boolean> {
    const id = typeof user === 'string' ? user : user.id
    const row = await this.#failClosed(null, () => this.#rows.byKey(id))
    const accepted = await this.#accepted(row, password)
    if (accepted === null) return false
    if (typeof user !== 'string') secrets.set(user, accepted.secret)
    return true
  }

  /** The account of an e-mail. */
  async fetch(email: string): Promise<Identity | null> {
    const identifier = normalEmail(email)
    if (identifier === null) return null
    const row = await this.#failClosed(null, () => this.#rows.byEmail(identifier))
    return row === null ? null : identityOf(row)
  }

  /**
   * The account with this id; null only when there is none, so that a failure signs nobody out.
   * @throws DatabaseError
   */
  async find(user: string): Promise<Identity | null> {
    const row = await this.#rows.byKey(user)
    return row === null ? null : identityOf(row)
  }

  /**
   * Sets another password. Tokens, devices and sessions of the account stay as they are: `Credentials`
   * ends them in the same step.
   * @throws OverloadedError when too many hashes are waiting.
   */
  async rotate(user: string, password: string): Promise<boolean> {
    if (passwordBytes(password) === null) return false
    return this.store(user, await this.#password.hash(password))
  }

  /**
   * Sets a hash that was made before, inside a transaction above all, which should not stay open for
   * as long as hashing takes. For an identity only while it stands: false once the secret is another.
   * @throws InvalidArgumentException for a text that is no hash of the current kind.
   */
  async store(user: AccountRef, hash: string): Promise<boolean> {
    // A password handed over in place of its hash would be stored as it is.
    if (!this.#password.conforms(hash)) throw notAHash()
    return this.#failClosed(false, async () => {
      if (typeof user !== 'string') return this.#storeIfUnchanged(user, hash)
      const row = await this.#rows.byKey(user)
      return row !== null && this.#rows.replace(row, hash)
    })
  }

  /** Notes that the e-mail is verified, when it was for the first time; false for nobody's id. */
  async confirm(user: string): Promise<boolean> {
    return this.#failClosed(false, async () => {
      const row = await this.#rows.byKey(user)
      return row !== null && this.#rows.stamp(row, Math.floor(this.#clock()))
    })
  }

  /**
   * Whether the secret is still the one that stood when this very object was read, or that `verify` or
   * `check` accepted for it. A change that is under way elsewhere is waited for.
   */
  async isUnchanged(identity: Identity): Promise<boolean> {
    const secret = secrets.get(identity)
    if (secret === undefined) return false
    return this.#failClosed(false, async () => {
      const row = await this.#rows.byKey(identity.id, { locked: true })
      return row !== null && row.secret === secret
    })
  }

  async #storeIfUnchanged(identity: Pick<Identity, 'id'>, hash: string): Promise<boolean> {
    const secret = secrets.get(identity)
    return secret !== undefined && this.#rows.swap({ id: identity.id, secret }, hash)
  }

  // One hash of the current cost, whatever the row. The row as it stands afterwards.
  async #accepted(row: UsersRow | null, password: string): Promise<UsersRow | null> {
    const { valid, hash } = await this.#password.inspect(password, row?.secret ?? null)
    if (row === null || !valid) return null
    return hash === null ? row : this.#upgraded(row, password, hash)
  }

  // Only in place of the hash that was checked: a password that was changed meanwhile stays changed.
  async #upgraded(row: UsersRow, password: string, hash: string): Promise<UsersRow | null> {
    const isSet = await this.#failClosed(null, () => this.#rows.swap(row, hash))
    if (isSet === true) return { ...row, secret: hash }
    // The password was right; that its hash could not be replaced is no reason to refuse it.
    if (isSet === null) return row
    const now = await this.#failClosed(null, () => this.#rows.byKey(row.id))
    const { valid } = await this.#password.inspect(password, now?.secret ?? null)
    return valid ? now : null
  }

  async #failClosed<T, Refusal>(refusal: Refusal, ask: () => Promise<T>): Promise<T | Refusal> {
    try {
      return await ask()
    } catch (error) {
      if (this.#transactional) throw error
      this.#throwables.notify(error)
      return refusal
    }
  }
}

function identityOf({ id, email, isVerified, secret }: UsersRow): Identity {
  const identity = Object.freeze({ id, email, verified: isVerified })
  secrets.set(identity, secret)
  return identity
}

function notAHash(): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    'store() takes what hash() of the same Password made; rotate() takes the password itself',
  )
}
