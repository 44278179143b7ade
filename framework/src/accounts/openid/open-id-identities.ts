import { hash } from 'node:crypto'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import type { Surface } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import { ExpiringTable } from '../../database/expiring-table.ts'
import { nullIfDuplicate } from '../../database/database-error.ts'
import type { Schema } from '../../migrations/schema.ts'
import { checkedUser } from '../tokens/token.ts'
import type { Undoable } from '../changes/account-undo.ts'

/** Options of `OpenIdIdentities`. */
export interface OpenIdIdentitiesOptions {
  /** Epoch seconds. */
  readonly clock?: () => number
}

/** An identity at another site that leads to an account. */
export interface OpenIdIdentity {
  /** The address of the issuer, in normal form. */
  readonly issuer: string
  /** Who it is there. */
  readonly subject: string
  /** Since when, in epoch seconds. */
  readonly created: number
}

/** Which account somebody at an issuer has. Every method rejects with the DatabaseError of its statement. */
export class OpenIdIdentities implements Undoable {
  readonly #rows: ExpiringTable
  readonly #options: OpenIdIdentitiesOptions
  readonly #now: () => number

  /** Pass a transaction as the surface to make the operations part of it. */
  constructor(surface: Surface, options: OpenIdIdentitiesOptions = {}) {
    const { clock = epochSeconds } = options
    this.#rows = new ExpiringTable(surface, 'openid_identities', 'id')
    this.#options = options
    this.#now = () => Math.floor(clock())
  }

  /** The same on another surface: a transaction, whose outcome the rows share. */
  within(surface: Surface): OpenIdIdentities {
    return new OpenIdIdentities(surface, this.#options)
  }

  /** The account of somebody at an issuer; null if there is none. */
  async owner(issuer: string, subject: string): Promise<string | null> {
    const [row] = await this.#rows.rows(sql`SELECT user_id, subject FROM ${this.#rows.name}
      WHERE issuer = ${issuer} AND subject = ${subject}`)
    // In a table with another collation, a capital letter may equal a small one.
    return row === undefined || row['subject'] !== subject ? null : String(row['user_id'])
  }

  /**
   * Adds an identity to an account; false if it leads to an account already, or the account has another one
   * of the same issuer. An enclosing transaction stays usable.
   */
  async add(user: string, issuer: string, subject: string): Promise<boolean> {
    const insert = sql`INSERT INTO ${this.#rows.name} (user_id, issuer, subject, created_at)
      VALUES (${checkedUser(user)}, ${issuer}, ${subject}, ${this.#now()})`
    // In a savepoint: any error may abort the whole transaction.
    const added = this.#rows.surface.transaction((inner) => inner.run(insert))
    return (await added.catch(nullIfDuplicate)) !== null
  }

  /** The identities of an account, oldest first. */
  async list(user: string): Promise<readonly OpenIdIdentity[]> {
    const rows = await this.#rows
      .rows(sql`SELECT issuer, subject, created_at FROM ${this.#rows.name}
      WHERE user_id = ${user} ORDER BY id`)
    return rows.map((row) => ({
      issuer: String(row['issuer']),
      subject: String(row['subject']),
      created: Number(row['created_at']),
    }))
  }

  /** Removes the identity that an account has at an issuer; false if it has none. */
  async remove(user: string, issuer: string): Promise<boolean> {
    return (await this.#rows.drop(sql`user_id = ${user} AND issuer = ${issuer}`)) > 0
  }

  /** Takes away the identity with this handle, see `Undoable`. */
  async undo(transaction: Surface, user: string, handle: string): Promise<null> {
    const rows = this.within(transaction).#rows
    const found = await rows.rows(
      sql`SELECT id, issuer, subject FROM ${rows.name} WHERE user_id = ${user}`,
    )
    for (const { id, issuer, subject } of found) {
      if (identityHandle(String(issuer), String(subject)) === handle) {
        await rows.drop(sql`id = ${id} AND user_id = ${user}`)
      }
    }
    return null
  }

  /** Removes all identities of an account, which goes with them, and resolves with their number. */
  forget(user: string): Promise<number> {
    return this.#rows.drop(sql`user_id = ${user}`)
  }
}

/** Names an identity without saying whose it is. */
export function identityHandle(issuer: string, subject: string): string {
  return hash('sha256', JSON.stringify(['identity', issuer, subject]), 'hex')
}

/**
 * Creates the table for `OpenIdIdentities`, in a migration: `await createOpenIdIdentitiesTable(schema)`. Its
 * `down` is `schema.dropTable('openid_identities')`.
 */
export async function createOpenIdIdentitiesTable(schema: Schema): Promise<void> {
  await schema.createTable('openid_identities', (table) => {
    table.key()
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 })
    table.text('issuer', { length: 255 })
    table.text('subject', { length: 255 })
    table.bigint('created_at')
    // Who somebody is at an issuer leads to one account; a check before the insert can be outrun.
    table.unique(['issuer', 'subject'])
    // An issuer that gives an old e-mail to somebody new must not lead them to the account of the former owner.
    table.unique(['user_id', 'issuer'])
  })
}
