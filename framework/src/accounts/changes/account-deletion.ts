import type { ObjectRow } from '../../database/sql/plan/declared-rows.ts'
import type { Database, Surface, Transaction } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import { nullIfDuplicate } from '../../database/database-error.ts'
import type { Schema } from '../../migrations/schema.ts'
import { SecretRows } from '../tokens/secret-rows.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'
import { newTokenText, readTokenText, Token, checkedUser, expiryOf } from '../tokens/token.ts'
import type { ChangeOptions, EndOthersOptions } from './credentials-options.ts'
import type { Credentials } from './credentials.ts'

/** Deletes something of an account, in the transaction that deletes the account. */
export type DeleteStep = (transaction: Transaction, user: string) => Promise<unknown>

/** Options of `AccountDeletion`. */
export interface AccountDeletionOptions extends SecretRowsOptions {
  readonly credentials: Pick<Credentials, 'changeAndEndOthers' | 'delete' | 'hold'>
  /**
   * Deletes what belongs to an account besides its tokens, devices and sessions, in the transaction that
   * deletes the account and in this order: `[deleteRowsOf('orders'), deleteRowsOf('api_tokens')]`.
   */
  readonly deletes: readonly DeleteStep[]
  /** Seconds from the request to the deletion. @default 604800, 7 days */
  readonly delay?: number
}

const batch = 100

/**
 * Deletes accounts on request of their owners, after a delay in which they can change their mind. `sweep`
 * deletes those whose time has come, each with everything that belongs to it in one transaction: whatever
 * happens in between, an account is there in full or gone in full.
 */
export class AccountDeletion {
  readonly #database: Database
  readonly #options: AccountDeletionOptions
  readonly #delay: number

  constructor(database: Database, options: AccountDeletionOptions) {
    this.#database = database
    this.#options = options
    this.#delay = expiryOf(0, options.delay ?? 604_800)
  }

  /**
   * Sets the date on which an account goes, and ends its other sessions and devices. Resolves with the token
   * of the link that keeps the account, which works until that date (`expires`); null if there is no such
   * account, or if its date is set already.
   * @throws DatabaseError
   */
  request(user: string, options: EndOthersOptions): Promise<Token | null> {
    const { credentials } = this.#options
    return credentials.changeAndEndOthers(
      checkedUser(user),
      'DeletionRequested',
      async (transaction) => {
        const rows = this.#rows(transaction)
        const now = rows.now()
        const { selector, digest, value } = newTokenText()
        const expires = now + this.#delay
        const insert = sql`INSERT INTO ${rows.name} (user_id, selector, verifier, due, created_at)
          VALUES (${user}, ${selector}, ${digest}, ${expires}, ${now})`
        const isSet = await transaction
          .transaction((inner) => inner.run(insert))
          .catch(nullIfDuplicate)
        return isSet === null ? null : new Token({ value, selector, user, purpose: null, expires })
      },
      options,
    )
  }

  /**
   * When an account goes, in epoch seconds; null if it stays.
   * @throws DatabaseError
   */
  async due(user: string): Promise<number | null> {
    const rows = this.#rows()
    const [row] = await rows.rows(sql`SELECT due FROM ${rows.name} WHERE user_id = ${user}`)
    return row === undefined ? null : Number(row['due'])
  }

  /**
   * The account that a link keeps, and when it goes otherwise; null for an invalid link. Nothing is used up.
   * @throws DatabaseError
   */
  async find(token: string): Promise<{ readonly user: string; readonly due: number } | null> {
    const row = await this.#rows().findProven(readTokenText(token), sql`user_id, due`)
    return row === null ? null : { user: String(row['user_id']), due: Number(row['due']) }
  }

  /**
   * Keeps an account; false if no date is set for it, or if it is being deleted. Of this and the deletion one
   * wins.
   * @throws DatabaseError; FrameworkError E_SESSION_ENDED.
   */
  async cancel(user: string, options: ChangeOptions): Promise<boolean> {
    const { credentials } = this.#options
    const kept = await credentials.hold(user, options, async (transaction, _account, tell) => {
      if ((await this.#rows(transaction).drop(sql`user_id = ${user}`)) === 0) return null
      await tell('DeletionCancelled')
      return true
    })
    return kept === true
  }

  /**
   * Deletes the accounts whose date has come; resolves with their number. One that cannot be deleted is
   * reported and stays, and the others go.
   */
  async sweep(): Promise<number> {
    const rows = this.#rows()
    const now = rows.now()
    let deleted = 0
    let last = 0
    for (;;) {
      const found = await rows.rows(sql`SELECT id, user_id, selector FROM ${rows.name}
        WHERE due <= ${now} AND id > ${last} ORDER BY id LIMIT ${batch}`)
      for (const row of found) {
        last = Number(row['id'])
        if (await rows.attempt(false, () => this.#delete(row))) deleted += 1
      }
      if (found.length < batch) return deleted
    }
  }

  async #delete({ id, user_id: owner, selector }: ObjectRow): Promise<boolean> {
    const { credentials, deletes } = this.#options
    const user = String(owner)
    const isThis = sql`id = ${id} AND selector = ${selector}`
    let isKept = false
    const deleted = await credentials.delete(user, async (transaction) => {
      // First, and it decides: whoever cancels deletes the same row.
      isKept = (await this.#rows(transaction).drop(isThis)) === 0
      if (isKept) return null
      for (const step of deletes) await step(transaction, user)
      return true
    })
    // Somebody else has deleted the account.
    if (deleted === null && !isKept) await this.#rows().drop(isThis)
    return deleted === true
  }

  #rows(surface: Surface = this.#database): SecretRows {
    return new SecretRows(surface, 'account_deletions', this.#options)
  }
}

/** A step that deletes the rows of an account from a table: `deleteRowsOf('orders', 'customer_id')`. */
export function deleteRowsOf(table: string, column: string = 'user_id'): DeleteStep {
  return (transaction, user) =>
    transaction.run(sql`DELETE FROM ${sql.name(table)} WHERE ${sql.name(column)} = ${user}`)
}

/**
 * Creates the table for `AccountDeletion`, in a migration: `await createAccountDeletionsTable(schema)`. Its
 * `down` is `schema.dropTable('account_deletions')`.
 */
export async function createAccountDeletionsTable(schema: Schema): Promise<void> {
  await schema.createTable('account_deletions', (table) => {
    table.key()
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 }).unique()
    table.char('selector', 16).unique()
    table.char('verifier', 64)
    // When the account goes. Until then the link that keeps it works.
    table.bigint('due')
    table.bigint('created_at')
    table.index(['due'])
  })
}
