import type { ObjectRow } from '../../../data/database/object-rows.ts'
import type { Surface } from '../../../data/database/surface.ts'
import { sql } from '../../../data/sql/plan/statement.ts'
import type { Statement } from '../../../data/sql/plan/statement.ts'
import { Slot, StatementTemplate } from '../../../data/tables/statement-template.ts'
import { insertedValues, upsertStatement } from '../../../data/tables/upsert-statement.ts'
import { Purposes } from './purposes.ts'
import { SecretRows } from './secret-rows.ts'
import type { SecretRowsOptions } from './secret-rows.ts'
import { isProven, newTokenText, readTokenText } from './token-text.ts'
import { Token, checkedUser, endOf } from './token.ts'

/** Where the rows of `Tokens` are and how it works. */
export type TokensOptions = SecretRowsOptions

/** What becomes of a token that is redeemed. */
export interface RedeemOptions {
  /**
   * Seconds for which `redeemedBy` recognises it, so that whoever opens a link again hears that all is
   * done. Its row, which holds only digests, then stays as a receipt; another one of the user for the
   * same purpose replaces it.
   */
  readonly receipt?: number
}

const key = ['user_id', 'purpose']
const secret = ['selector', 'verifier', 'expires', 'created_at']
const row = Object.fromEntries([...key, ...secret].map((column) => [column, new Slot(column)]))

/**
 * Action tokens, for links that work once. A failing database makes every answer a refusal (null,
 * false, 0) and is reported; in a transaction it is thrown.
 */
export class Tokens {
  readonly #rows: SecretRows
  #mint: StatementTemplate | null = null

  /** A transaction as the surface makes what is done part of it. */
  constructor(surface: Surface, options: TokensOptions = {}) {
    this.#rows = new SecretRows(surface, 'tokens', options)
  }

  /**
   * A new token that lives `ttl` seconds. A former one of the same user and purpose is worth nothing
   * from then on.
   * @throws InvalidArgumentException for an empty user or less than a second; DatabaseError when it
   *   cannot be stored.
   */
  async mint(user: string, purpose: Purposes, ttl: number = 3600): Promise<Token> {
    const now = this.#rows.now()
    const expires = endOf(now, ttl)
    const { selector, digest, value } = newTokenText()
    const values = { selector, verifier: digest, user_id: checkedUser(user), purpose }
    this.#mint ??= mintStatement(this.#rows)
    await this.#rows.run(this.#mint.query({ ...values, expires, created_at: now }))
    await this.#rows.sweepByChance()
    return new Token({ value, selector, user, purpose, expires })
  }

  /**
   * Takes a token out of use and resolves with its user; null for one that is not good. A token with a
   * wrong verifier stays: who knows a selector alone cannot spoil it. Of many at once one gets it.
   * @throws InvalidArgumentException for a receipt of less than a second.
   */
  async redeem(
    token: string,
    purpose: Purposes,
    { receipt }: RedeemOptions = {},
  ): Promise<string | null> {
    const now = this.#rows.now()
    const kept = receipt === undefined ? null : endOf(now, receipt)
    return this.#rows.failClosed(null, async () => {
      const row = await this.#find(token, purpose, now, this.#rows.lock)
      if (row === null) return null
      const { id, selector, verifier } = row
      // This, not the look before it, decides who of several gets it.
      const isGood = sql`id = ${id} AND selector = ${selector}
        AND verifier = ${verifier} AND purpose = ${purpose} AND expires > ${now}`
      const taken =
        kept === null
          ? await this.#rows.drop(isGood)
          : await this.#keepReceipt(row, purpose, isGood, kept)
      return taken === 1 ? String(row['user_id']) : null
    })
  }

  /** The user who has redeemed a token for a receipt; null without one. */
  redeemedBy(token: string, purpose: Purposes): Promise<string | null> {
    return this.#rows.failClosed(null, async () => {
      const row = await this.#find(token, receiptOf(purpose), this.#rows.now(), sql``)
      return row === null ? null : String(row['user_id'])
    })
  }

  /** Whether `redeem` would take this token; it stays. */
  async check(token: string, purpose: Purposes): Promise<boolean> {
    return (await this.owner(token, purpose)) !== null
  }

  /** The user whom `redeem` would resolve with; the token stays. */
  owner(token: string, purpose: Purposes): Promise<string | null> {
    return this.#rows.failClosed(null, async () => {
      const row = await this.#find(token, purpose, this.#rows.now(), sql``)
      return row === null ? null : String(row['user_id'])
    })
  }

  /** Drops the tokens of a user, all or those of one purpose; the number of them. */
  revoke(user: string, purpose: Purposes | null = null): Promise<number> {
    const ofPurpose =
      purpose === null
        ? sql`AND purpose NOT IN (${sql.list(Object.values(Purposes).map(receiptOf))})`
        : sql`AND purpose = ${purpose}`
    return this.#rows.failClosed(0, () => this.#rows.drop(sql`user_id = ${user} ${ofPurpose}`))
  }

  /** Drops every token whose time is over; the number of them. */
  sweep(): Promise<number> {
    return this.#rows.failClosed(0, () => this.#rows.sweepExpired())
  }

  /** The row of a good token. What is over is dropped, whoever asks. */
  async #find(
    token: string,
    purpose: string,
    now: number,
    lock: Statement,
  ): Promise<ObjectRow | null> {
    const proof = readTokenText(token)
    if (proof === null) return null
    const [row] = await this.#rows.rows(sql`SELECT id, selector, verifier, user_id, purpose, expires
      FROM ${this.#rows.name} WHERE selector = ${proof.selector}${lock}`)
    const isHolder = isProven(row === undefined ? null : String(row['verifier']), proof)
    if (row === undefined || (await this.#rows.isOver(row, now))) return null
    return isHolder && row['purpose'] === purpose ? row : null
  }

  /** Makes a good token a receipt in one statement; 1 for the one who did. */
  async #keepReceipt(
    { id, user_id: user }: ObjectRow,
    purpose: Purposes,
    isGood: Statement,
    expires: number,
  ): Promise<number> {
    const receipt = receiptOf(purpose)
    // Not by the id of this row: it may be the receipt of somebody who was faster with the same token.
    await this.#rows.drop(sql`user_id = ${user} AND purpose = ${receipt} AND id <> ${id}`)
    const { affected } = await this.#rows.run(
      sql`UPDATE ${this.#rows.name} SET purpose = ${receipt}, expires = ${expires} WHERE ${isGood}`,
    )
    return affected
  }
}

/** Adds a token, in the place of the one that the user has for the purpose. */
function mintStatement({ name, surface: { dialect } }: SecretRows): StatementTemplate {
  // A database that cannot be told which key is meant may find the row by its selector. Should that
  // ever be somebody else's, it must not keep its user: a token would open another account than it
  // was made for.
  const changed = dialect.namesConflict ? secret : [...secret, ...key]
  const changes = insertedValues(changed, dialect)
  return new StatementTemplate(
    upsertStatement({ table: name, key, row, changes }, dialect),
    dialect,
  )
}

/** What stands in the column `purpose` of a receipt; no token has such a purpose. */
function receiptOf(purpose: Purposes): string {
  return `${purpose}:used`
}
