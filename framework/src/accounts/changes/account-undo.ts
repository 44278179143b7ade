import type { Database, Surface, Transaction } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import type { Schema } from '../../migrations/schema.ts'
import type { AuthEventName } from '../auth-events.ts'
import { SecretRows, secretColumns } from '../tokens/secret-rows.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'
import { newTokenText, readTokenText, Token, checkedUser, expiryOf } from '../tokens/token.ts'
import type { AccountWork, CredentialsOrigin, EndOthersOptions } from './credentials-options.ts'
import type { Credentials } from './credentials.ts'
import { endLeftBehind } from './revoke-factors.ts'
import type { LeftBehind } from './revoke-factors.ts'

/**
 * Keeps something that a thief may add to an account, and that its owner can take away again by the link in
 * the mail about it: `AuthenticatorApp`, `Passkeys`, `ApiTokens` and `OpenIdIdentities` do.
 */
export interface Undoable {
  /**
   * Deletes what the `subject` of the event names, in the transaction of the undo; nothing if it is gone
   * already. Resolves with the name of a factor that the account has lost by it, or null.
   */
  undo(transaction: Transaction, user: string, subject: string): Promise<string | null>
}

/** Options of `AccountUndo`. Times are seconds. */
export interface AccountUndoOptions extends SecretRowsOptions, LeftBehind {
  readonly credentials: Pick<Credentials, 'changeAndEndOthers'>
  /**
   * What can be added to accounts, by kind: `{ totp: authenticator, passkey: passkeys, token: apiTokens }`.
   * The kind of a factor is its name; `token` and `identity` are no factors, and `all` is not a kind of its own.
   */
  readonly additions: Readonly<Record<string, Undoable>>
  /** How long links work. @default 259200, 72 hours */
  readonly ttl?: number
  /**
   * How far back a factor may have been added that a link for everything takes away. Older ones stay: whoever
   * has only the mailbox must not get past the factor of the owner. @default 604800, 7 days
   */
  readonly recent?: number
}

/** The account of a link, and what it undoes. */
export interface UndoLink {
  readonly user: string
  /** As in `additions`, or `all`. */
  readonly kind: string
}

interface UndoRow extends UndoLink {
  readonly selector: string
  readonly subject: string
  /** Epoch seconds. */
  readonly created: number
}

/** The kind of a link for everything. */
const everything = 'all'

/**
 * Takes away what somebody has added to an account: an authenticator app, a passkey, another site, an API
 * token. The mail about it has a link that works once, for 72 hours, and ends all sessions and devices of the
 * account too. The mail about a new password has one for everything that still opens the account. Whoever
 * has the password and a session cannot get at either. A failing database rejects with its DatabaseError.
 */
export class AccountUndo {
  readonly #database: Database
  readonly #options: AccountUndoOptions
  readonly #ttl: number
  readonly #recent: number

  constructor(database: Database, options: AccountUndoOptions) {
    this.#database = database
    this.#options = options
    this.#ttl = options.ttl ?? 259_200
    this.#recent = options.recent ?? 604_800
  }

  /**
   * Makes the link for something that was added: `kind` as in `additions` and the `subject` of its event, or
   * `all` for everything. Send it to the stored address and nowhere else.
   * @throws DatabaseError
   */
  async link(user: string, kind: string, subject: string = ''): Promise<Token> {
    const rows = this.#rows()
    const now = rows.now()
    const expires = expiryOf(now, this.#ttl)
    const { selector, digest, value } = newTokenText()
    await rows.run(sql`INSERT INTO ${rows.name}
      (selector, verifier, user_id, kind, subject, expires, created_at)
      VALUES (${selector}, ${digest}, ${checkedUser(user)}, ${kind}, ${subject}, ${expires}, ${now})`)
    await rows.sweepByChance()
    return new Token({ value, selector, user, purpose: null, expires })
  }

  /**
   * What a link would undo; null for an invalid one. Nothing is used up.
   * @throws DatabaseError
   */
  async find(token: string): Promise<UndoLink | null> {
    const row = await this.#find(token)
    return row === null ? null : { user: row.user, kind: row.kind }
  }

  /**
   * Uses a link up: takes away what it is for, if it is still there, and ends all sessions and devices of the
   * account. A link for everything takes away what `endAll` does, except older factors, and the password is
   * void until a reset sets a new one. Of concurrent calls one wins; null for an invalid link.
   * @throws DatabaseError
   */
  async undo(
    token: string,
    origin: CredentialsOrigin = {},
  ): Promise<(UndoLink & { readonly email: string }) | null> {
    const found = await this.#find(token)
    if (found === null) return null
    const { user, kind } = found
    const everywhere = { keep: null, device: null, ...origin }
    const spend: AccountWork<string> = async (transaction, { email }) => {
      const rows = this.#rows(transaction)
      // This statement, not the SELECT before it, decides which of concurrent calls wins.
      const isLive = sql`selector = ${found.selector} AND expires > ${rows.now()}`
      if ((await rows.drop(isLive)) === 0) return null
      if (kind === everything) await this.#options.users.within(transaction).removePassword(user)
      return email
    }
    const email =
      kind === everything
        ? await this.#endAll(user, found.created - this.#recent, everywhere, spend)
        : await this.#undoOne(found, everywhere, spend)
    return email === null ? null : { user, kind, email }
  }

  /**
   * Takes away everything that opens an account besides its password, and ends all sessions and devices
   * except those to keep; false if there is no such account. For its owner, who has confirmed it.
   * @throws DatabaseError; FrameworkError E_SESSION_ENDED if the session to keep has ended.
   */
  async endAll(user: string, options: EndOthersOptions): Promise<boolean> {
    return (await this.#endAll(user, 0, options, async () => true)) !== null
  }

  /** Deletes expired links and resolves with their number. */
  sweep(): Promise<number> {
    return this.#rows().sweepExpired()
  }

  #endAll<T>(
    user: string,
    since: number,
    options: EndOthersOptions,
    allow: AccountWork<T>,
  ): Promise<T | null> {
    const work: AccountWork<T> = async (transaction, account, tell) => {
      const allowed = await allow(transaction, account, tell)
      if (allowed === null) return null
      await endLeftBehind(transaction, this.#options, { user, since }, tell)
      return allowed
    }
    const how = { ...options, method: 'all' }
    return this.#options.credentials.changeAndEndOthers(user, 'Ended', work, how)
  }

  #undoOne<T>(
    { user, kind, subject }: UndoRow,
    options: EndOthersOptions,
    spend: AccountWork<T>,
  ): Promise<T | null> {
    const { additions, credentials, users } = this.#options
    const work: AccountWork<T> = async (transaction, account, tell) => {
      const spent = await spend(transaction, account, tell)
      if (spent === null) return null
      const lost = (await additions[kind]?.undo(transaction, user, subject)) ?? null
      if (lost !== null) await users.within(transaction).setFactor(user, lost, false)
      return spent
    }
    const [event, method] = removals.get(kind) ?? (['FactorRemoved', kind] as const)
    return credentials.changeAndEndOthers(user, event, work, { ...options, method })
  }

  async #find(token: string): Promise<UndoRow | null> {
    const rows = this.#rows()
    const columns = sql`user_id, kind, subject, expires, created_at`
    const row = await rows.findProven(readTokenText(token), columns)
    if (row === null || Number(row['expires']) <= rows.now()) return null
    return {
      selector: String(row['selector']),
      user: String(row['user_id']),
      kind: String(row['kind']),
      subject: String(row['subject']),
      created: Number(row['created_at']),
    }
  }

  #rows(surface: Surface = this.#database): SecretRows {
    return new SecretRows(surface, 'account_undos', this.#options)
  }
}

/** What is recorded when something is taken away that is no factor. */
const removals: ReadonlyMap<string, readonly [event: AuthEventName, method: string]> = new Map([
  ['token', ['TokenRevoked', 'undo']],
  ['identity', ['IdentityUnlinked', 'undo']],
])

/**
 * Creates the table for `AccountUndo`, in a migration: `await createAccountUndosTable(schema)`. Its `down` is
 * `schema.dropTable('account_undos')`.
 */
export async function createAccountUndosTable(schema: Schema): Promise<void> {
  await schema.createTable('account_undos', (table) => {
    secretColumns(table)
    // What was added, and which one.
    table.text('kind', { length: 32 })
    table.text('subject', { length: 64 })
    table.bigint('expires')
    table.bigint('created_at')
    table.index(['user_id'])
    table.index(['expires'])
  })
}
