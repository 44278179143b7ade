import { hash, randomBytes } from 'node:crypto'
import { invalidArgument } from '../../base/errors.ts'
import type { InvalidArgumentException } from '../../base/errors.ts'
import type { Database, Surface } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import type { Statement } from '../../database/sql/plan/statement.ts'
import type { Schema } from '../../migrations/schema.ts'
import { credentialsVersion } from '../identity.ts'
import type {
  AccountWork,
  ChangeOptions,
  CredentialsOrigin,
  EndOthersOptions,
} from './credentials-options.ts'
import type { Credentials } from './credentials.ts'
import { isEmailAddress, normalEmail } from '../email-address.ts'
import type { Users } from '../users.ts'
import { endLeftBehind } from './revoke-factors.ts'
import type { LeftBehind } from './revoke-factors.ts'
import { SecretRows, secretColumns } from '../tokens/secret-rows.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'
import { checkedUser, expiryOf, newTokenText, readTokenText, Token } from '../tokens/token.ts'

/** Options of `EmailChange`. Times are seconds. */
export interface EmailChangeOptions extends SecretRowsOptions, LeftBehind {
  readonly credentials: Pick<Credentials, 'changeEmail' | 'hold'>
  readonly users: Pick<Users, 'fetch' | 'find' | 'isReserved' | 'within'>
  /** How long the link to the new address works. @default 3600 */
  readonly ttl?: number
  /** How long the link to the former address works. @default 259200, 72 hours */
  readonly undoTtl?: number
}

/** A requested change of e-mail. */
export interface RequestedEmail {
  /** For the link to the new address. */
  readonly token: Token
  /** What the session that asked has to keep: the link works only there. */
  readonly binding: string
  /** The new address, normalized. */
  readonly email: string
  /**
   * Whether it belongs to another account. Then its owner is told instead, and nobody gets the link; the
   * response stays the same.
   */
  readonly isTaken: boolean
}

/** Who opens a link. */
export interface EmailChangeBrowser {
  /** Id of the signed-in account; null for a guest. */
  readonly user: string | null
  /** What the session has kept; anything else for one that did not ask. */
  readonly binding: unknown
}

/** A change of e-mail that was made. */
export interface ChangedEmail {
  /** The new address. */
  readonly email: string
  /** The former one, which gets the link that restores it. */
  readonly former: string
  /**
   * Null if the former address was never verified: it may be a typing error, and whoever reads the mails
   * there must not get the account.
   */
  readonly undo: Token | null
}

/**
 * Changes the e-mail of accounts. The link to the new address works once, and only in the session that
 * asked; the former address gets a link with which its owner takes it back, whoever has the account by
 * then. Until that link expires nobody else can have the former address: `new Users(…, { emailChanges:
 * 'email_changes' })` sees to it. A failing database rejects with its DatabaseError.
 */
export class EmailChange {
  readonly #database: Database
  readonly #options: EmailChangeOptions
  readonly #ttl: number
  readonly #undoTtl: number

  constructor(database: Database, options: EmailChangeOptions) {
    this.#database = database
    this.#options = options
    this.#ttl = options.ttl ?? 3600
    this.#undoTtl = options.undoTtl ?? 259_200
  }

  /**
   * Prepares a change, instead of an earlier one that waits. Whether or not the address is taken, it costs
   * the same. Null if there is no such account, or if the address is its own.
   * @throws InvalidArgumentException for a text that is no address, DatabaseError; FrameworkError
   * E_SESSION_ENDED.
   */
  async request(
    user: string,
    email: string,
    options: ChangeOptions,
  ): Promise<RequestedEmail | null> {
    const { credentials, users } = this.#options
    const wanted = isEmailAddress(email) ? normalEmail(email) : null
    if (wanted === null) throw notAnAddress()
    const account = await users.find(user)
    const version = account === null ? null : credentialsVersion(account)
    if (account === null || version === null || account.email === wanted) return null
    const [owner, isReserved] = [await users.fetch(wanted), await users.isReserved(wanted, user)]
    const binding = randomBytes(32).toString('hex')
    const token = await credentials.hold(user, options, async (transaction, _account, tell) => {
      const rows = this.#rows(transaction)
      await rows.drop(pendingOf(user))
      await tell('EmailRequested')
      const secrets = { binding: digestOf(binding), version }
      return add(rows, { user, kind: 'pending', email: wanted, ...secrets, ttl: this.#ttl })
    })
    const isTaken = owner !== null || isReserved
    return token === null ? null : { token, binding, email: wanted, isTaken }
  }

  /**
   * What a link would do: the new address, or `elsewhere` if it has to be opened in the session that asked.
   * Null for an invalid link. Nothing is used up.
   * @throws DatabaseError
   */
  async find(
    token: string,
    { user, binding }: EmailChangeBrowser,
  ): Promise<{ readonly email: string } | 'elsewhere' | null> {
    const row = await find(this.#rows(), token, 'pending')
    if (row === null) return null
    const isHere = row.user === user && row.binding === digestOf(binding)
    return isHere ? { email: row.email } : 'elsewhere'
  }

  /**
   * Makes the change: ends the other sessions and devices of the account and every link in its mails. Of
   * concurrent calls one wins. Null if the link is not valid in this session, or if the password has
   * changed since; `taken` if another account has got the address in the meantime.
   * @throws DatabaseError
   */
  async complete(
    token: string,
    user: string,
    { binding, ...options }: EndOthersOptions & { readonly binding: unknown },
  ): Promise<ChangedEmail | 'taken' | null> {
    let made: ChangedEmail | null = null
    const work: AccountWork<string> = async (transaction, account) => {
      const rows = this.#rows(transaction)
      const row = await find(rows, token, 'pending')
      if (row === null || row.user !== user || row.binding !== digestOf(binding)) return null
      if (row.version !== credentialsVersion(account)) return null
      if (!(await spend(rows, row))) return null
      await rows.drop(pendingOf(user))
      const { email: former, verified } = account
      const link = { user, kind: 'undo', email: former, ttl: this.#undoTtl } as const
      const undo = verified ? await add(rows, link) : null
      made = { email: row.email, former, undo }
      return row.email
    }
    const outcome = await this.#options.credentials.changeEmail(user, work, options)
    return outcome === 'changed' ? made : outcome
  }

  /**
   * The address that a link to a former mailbox would restore; null for an invalid link. Nothing is used up.
   * @throws DatabaseError
   */
  async findUndo(token: string): Promise<{ readonly email: string } | null> {
    const row = await find(this.#rows(), token, 'undo')
    return row === null ? null : { email: row.email }
  }

  /**
   * Restores a former address, whatever the address is by now, and ends all sessions, devices and links of
   * the account; its password is void until a reset sets a new one. Changes that were made after the one
   * that is undone can no longer be undone; earlier ones can. Null for an invalid link; `taken` if another
   * account has the address.
   * @throws DatabaseError
   */
  async undo(
    token: string,
    origin: CredentialsOrigin = {},
  ): Promise<{ readonly user: string; readonly email: string } | 'taken' | null> {
    const found = await find(this.#rows(), token, 'undo')
    if (found === null) return null
    const { user, email } = found
    const work: AccountWork<string> = async (transaction, _account, tell) => {
      const rows = this.#rows(transaction)
      if (!(await spend(rows, found))) return null
      await rows.drop(pendingOf(user))
      // The links of later changes went to mailboxes that this one proves to be somebody else's.
      await rows.drop(sql`user_id = ${user} AND id > ${found.id}`)
      // A thief may have added a factor first, so that the owner could not sign in again.
      const since = found.created - this.#undoTtl
      await endLeftBehind(transaction, this.#options, { user, since }, tell)
      return email
    }
    const options = { keep: null, device: null, as: 'restored', ...origin } as const
    const outcome = await this.#options.credentials.changeEmail(user, work, options)
    return outcome === 'changed' ? { user, email } : outcome
  }

  /** Deletes expired links and resolves with their number. */
  sweep(): Promise<number> {
    return this.#rows().sweepExpired()
  }

  #rows(surface: Surface = this.#database): SecretRows {
    return new SecretRows(surface, 'email_changes', this.#options)
  }
}

/** A change that waits for its click (`pending`), or one that can be undone (`undo`). */
interface StoredChange {
  readonly user: string
  readonly kind: 'pending' | 'undo'
  readonly email: string
  readonly binding?: string | null
  readonly version?: string | null
}

interface FoundChange extends StoredChange {
  readonly id: number
  /** Epoch seconds. */
  readonly created: number
}

/** Adds a row and resolves with its token; `ttl` is in seconds. */
async function add(
  rows: SecretRows,
  { user, kind, email, binding = null, version = null, ttl }: StoredChange & { ttl: number },
): Promise<Token> {
  const now = rows.now()
  const expires = expiryOf(now, ttl)
  const { selector, digest, value } = newTokenText()
  await rows.run(sql`INSERT INTO ${rows.name}
    (selector, verifier, user_id, kind, email, binding, version, expires, created_at)
    VALUES (${selector}, ${digest}, ${checkedUser(user)}, ${kind}, ${email}, ${binding}, ${version},
      ${expires}, ${now})`)
  return new Token({ value, selector, user, purpose: null, expires })
}

/** The row of a valid token, which stays valid. */
async function find(
  rows: SecretRows,
  token: string,
  kind: StoredChange['kind'],
): Promise<FoundChange | null> {
  const columns = sql`user_id, kind, email, binding, version, expires, created_at`
  const row = await rows.findProven(readTokenText(token), columns)
  if (row?.['kind'] !== kind || Number(row['expires']) <= rows.now()) return null
  const { binding, version } = row
  return {
    id: Number(row['id']),
    user: String(row['user_id']),
    kind,
    email: String(row['email']),
    binding: typeof binding === 'string' ? binding : null,
    version: typeof version === 'string' ? version : null,
    created: Number(row['created_at']),
  }
}

/** Uses a row up. Of concurrent calls one gets true. */
async function spend(rows: SecretRows, { id, kind }: FoundChange): Promise<boolean> {
  return (await rows.drop(sql`id = ${id} AND kind = ${kind} AND expires > ${rows.now()}`)) === 1
}

/** Those of an account that wait for their click. */
function pendingOf(user: string): Statement {
  return sql`user_id = ${user} AND kind = 'pending'`
}

/** Only the digest is stored: a stolen table does not say which session may open a link. */
function digestOf(binding: unknown): string {
  return hash('sha256', typeof binding === 'string' ? binding : '', 'hex')
}

function notAnAddress(): InvalidArgumentException {
  return invalidArgument(
    'the new e-mail is not an address that mail can be sent to; check it with isEmailAddress()',
  )
}

/**
 * Creates the table for `EmailChange`, in a migration: `await createEmailChangesTable(schema)`. Its
 * `down` is `schema.dropTable('email_changes')`.
 */
export async function createEmailChangesTable(schema: Schema): Promise<void> {
  await schema.createTable('email_changes', (table) => {
    secretColumns(table)
    // A change that waits for its click, or one that can be undone.
    table.text('kind', { length: 8 })
    // The new address of a change that waits, the former one of a change that can be undone.
    table.text('email', { length: 254 })
    // Digest of what the session has that asked, and the password it was asked with; NULL for an undo.
    table.char('binding', 64).nullable()
    table.char('version', 32).nullable()
    table.bigint('expires')
    table.bigint('created_at')
    table.index(['user_id'])
    table.index(['email'])
    table.index(['expires'])
  })
}
