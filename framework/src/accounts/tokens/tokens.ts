import type { ObjectRow } from '../../database/sql/plan/declared-rows.ts'
import type { Surface } from '../../database/surface.ts'
import { sql, Slot, StatementTemplate } from '../../database/sql/plan/statement.ts'
import type { Statement } from '../../database/sql/plan/statement.ts'
import { insertedValues, upsertStatement } from '../../database/upsert-statement.ts'
import type { Schema } from '../../migrations/schema.ts'
import { Purposes, Token, checkedUser, expiryOf, newTokenText, readTokenText } from './token.ts'
import { SecretRows, secretColumns } from './secret-rows.ts'
import type { SecretRowsOptions } from './secret-rows.ts'

/** Options of `Tokens`. */
export interface TokensOptions extends SecretRowsOptions {
  /** @default 'tokens' */
  readonly table?: string
}

/** Options of `Tokens.redeem`. */
export interface RedeemOptions {
  /**
   * Seconds for which `redeemedBy` still recognises the token, so that opening a link twice is not
   * an error. The row, which holds only digests, stays as a receipt until the next receipt of the
   * same user and purpose.
   */
  readonly receipt?: number
}

/** The user of decoys; no account has this id. */
const nobody = '(nobody)'

const key = ['user_id', 'purpose']
const secret = ['selector', 'verifier', 'expires', 'created_at']
const row = Object.fromEntries([...key, ...secret].map((column) => [column, new Slot(column)]))

/**
 * Action tokens, for links that work once. When the database fails, methods report the error and
 * return null, false or 0; inside a transaction they rethrow.
 */
export class Tokens {
  readonly #rows: SecretRows
  #mint: StatementTemplate | null = null

  /** Pass a transaction as the surface to make the operations part of it. */
  constructor(surface: Surface, options: TokensOptions = {}) {
    this.#rows = new SecretRows(surface, options.table ?? 'tokens', options)
  }

  /**
   * Creates a token that lives for `ttl` seconds. It replaces an earlier one of the same user and
   * purpose.
   * @throws InvalidArgumentException for an empty user or a `ttl` below 1; DatabaseError when it
   * cannot be stored.
   */
  async mint(user: string, purpose: Purposes, ttl: number = 3600): Promise<Token> {
    const now = this.#rows.now()
    const expires = expiryOf(now, ttl)
    const { selector, digest, value } = newTokenText()
    const values = { selector, verifier: digest, user_id: checkedUser(user), purpose }
    this.#mint ??= mintStatement(this.#rows)
    await this.#rows.run(this.#mint.query({ ...values, expires, created_at: now }))
    await this.#rows.sweepByChance()
    return new Token({ value, selector, user, purpose, expires })
  }

  /**
   * Does the work of `mint` for nobody, so that a link requested for an unknown address costs what it
   * costs for a known one. The token opens no account; there is one row of this kind for each purpose.
   * @throws as `mint` does.
   */
  mintDecoy(purpose: Purposes, ttl: number = 3600): Promise<Token> {
    return this.mint(nobody, purpose, ttl)
  }

  /**
   * Consumes a token and resolves with its user; null if it is not valid. A wrong verifier leaves
   * the token valid: knowing only the selector is not enough to spoil it. Of concurrent calls one
   * wins.
   * @throws InvalidArgumentException for a `receipt` below 1.
   */
  async redeem(
    token: string,
    purpose: Purposes,
    { receipt }: RedeemOptions = {},
  ): Promise<string | null> {
    const now = this.#rows.now()
    const kept = receipt === undefined ? null : expiryOf(now, receipt)
    return this.#rows.failClosed(null, async () => {
      const row = await this.#find(token, purpose, this.#rows.lock)
      if (row === null) return null
      const { id, selector, verifier } = row
      // This statement, not the SELECT before it, decides which of concurrent calls wins.
      const isValid = sql`id = ${id} AND selector = ${selector}
        AND verifier = ${verifier} AND purpose = ${purpose} AND expires > ${now}`
      const taken =
        kept === null
          ? await this.#rows.drop(isValid)
          : await this.#keepReceipt(row, purpose, isValid, kept)
      return taken === 1 ? String(row['user_id']) : null
    })
  }

  /** The user who redeemed this token with a receipt; null if there is no receipt. */
  redeemedBy(token: string, purpose: Purposes): Promise<string | null> {
    return this.#rows.failClosed(null, async () => {
      const row = await this.#find(token, receiptOf(purpose))
      return row === null ? null : String(row['user_id'])
    })
  }

  /** Whether `redeem` would accept this token. Does not consume it. */
  async check(token: string, purpose: Purposes): Promise<boolean> {
    return (await this.owner(token, purpose)) !== null
  }

  /** The user that `redeem` would resolve with. Does not consume the token. */
  owner(token: string, purpose: Purposes): Promise<string | null> {
    return this.#rows.failClosed(null, async () => {
      const row = await this.#find(token, purpose)
      return row === null ? null : String(row['user_id'])
    })
  }

  /** Deletes the tokens of a user, all or those of one purpose, and resolves with their number. */
  revoke(user: string, purpose: Purposes | null = null): Promise<number> {
    const ofPurpose =
      purpose === null
        ? sql`AND purpose NOT IN (${sql.list(Object.values(Purposes).map(receiptOf))})`
        : sql`AND purpose = ${purpose}`
    return this.#rows.failClosed(0, () => this.#rows.drop(sql`user_id = ${user} ${ofPurpose}`))
  }

  /** Deletes the tokens of a user and the receipts of used ones; resolves with their number. */
  forget(user: string): Promise<number> {
    return this.#rows.failClosed(0, () => this.#rows.drop(sql`user_id = ${user}`))
  }

  /** Deletes all expired tokens and resolves with their number. */
  sweep(): Promise<number> {
    return this.#rows.sweepExpired()
  }

  /** The row of a valid token. Expired rows are deleted on the way. */
  async #find(token: string, purpose: string, lock: Statement = sql``): Promise<ObjectRow | null> {
    const row = await this.#rows.findLive(readTokenText(token), sql`user_id, purpose`, lock)
    return row?.['purpose'] === purpose ? row : null
  }

  /** Turns a valid token into a receipt in one statement; resolves with 1 for the winner. */
  async #keepReceipt(
    { id, user_id: user }: ObjectRow,
    purpose: Purposes,
    isValid: Statement,
    expires: number,
  ): Promise<number> {
    const receipt = receiptOf(purpose)
    // Excludes the row itself: a concurrent call may already have turned it into the receipt.
    await this.#rows.drop(sql`user_id = ${user} AND purpose = ${receipt} AND id <> ${id}`)
    const { affected } = await this.#rows.run(
      sql`UPDATE ${this.#rows.name} SET purpose = ${receipt}, expires = ${expires} WHERE ${isValid}`,
    )
    return affected
  }
}

/** Adds a token, or replaces the one that the user has for the purpose. */
function mintStatement({ name, surface: { dialect } }: SecretRows): StatementTemplate {
  // A database whose upsert cannot name the key may match a row by its selector. Should such a row
  // ever belong to someone else, it must not keep its user: the token would open the wrong account.
  const changed = dialect.namesConflict ? secret : [...secret, ...key]
  const changes = insertedValues(changed, dialect)
  return new StatementTemplate(
    upsertStatement({ table: name, key, row, changes }, dialect),
    dialect,
  )
}

/** The `purpose` column of a receipt; no token has this purpose. */
function receiptOf(purpose: Purposes): string {
  return `${purpose}:used`
}

/**
 * Creates the table for `Tokens`, in a migration: `await createTokensTable(schema)`. Its `down` is
 * `schema.dropTable('tokens')`.
 */
export async function createTokensTable(schema: Schema, name: string = 'tokens'): Promise<void> {
  await schema.createTable(name, (table) => {
    secretColumns(table)
    table.text('purpose', { length: 20 })
    table.bigint('expires')
    table.bigint('created_at')
    // One live token per user and purpose: minting replaces the old one in one statement.
    table.unique(['user_id', 'purpose'])
    table.index(['expires'])
  })
}
