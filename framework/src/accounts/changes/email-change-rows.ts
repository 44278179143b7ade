import type { ObjectRow } from '../../database/sql/plan/declared-rows.ts'
import type { Surface } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import type { Schema } from '../../migrations/schema.ts'
import { SecretRows, secretColumns } from '../tokens/secret-rows.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'
import { newTokenText, Token, checkedUser, expiryOf } from '../tokens/token.ts'

/** A change of e-mail that waits for its click (`pending`), or one that can be undone (`undo`). */
export type EmailChangeKind = 'pending' | 'undo'

/** A stored change of e-mail. */
export interface EmailChangeRow {
  readonly id: number
  readonly user: string
  readonly email: string
  readonly binding: string | null
  readonly version: string | null
  /** Epoch seconds. */
  readonly created: number
}

/** What a new row holds besides its token. */
export interface NewEmailChangeRow {
  readonly user: string
  readonly kind: EmailChangeKind
  readonly email: string
  readonly binding?: string
  readonly version?: string
  /** Seconds. */
  readonly ttl: number
}

/** The rows of `EmailChange`. Every method rejects with the DatabaseError of its statement. */
export class EmailChangeRows {
  readonly #rows: SecretRows

  constructor(surface: Surface, options: SecretRowsOptions) {
    this.#rows = new SecretRows(surface, 'email_changes', options)
  }

  /** Adds a row and resolves with its token. */
  async add({ user, kind, email, binding, version, ttl }: NewEmailChangeRow): Promise<Token> {
    const now = this.#rows.now()
    const expires = expiryOf(now, ttl)
    const { selector, digest, value } = newTokenText()
    await this.#rows.run(sql`INSERT INTO ${this.#rows.name}
      (selector, verifier, user_id, kind, email, binding, version, expires, created_at)
      VALUES (${selector}, ${digest}, ${checkedUser(user)}, ${kind}, ${email}, ${binding ?? null},
        ${version ?? null}, ${expires}, ${now})`)
    return new Token({ value, selector, user, purpose: null, expires })
  }

  /** The row of a valid token, which stays valid. */
  async find(token: string, kind: EmailChangeKind): Promise<EmailChangeRow | null> {
    const columns = sql`id, user_id, kind, email, binding, version, expires, created_at`
    const row = await this.#rows.findProven(token, columns)
    if (row === null || row['kind'] !== kind) return null
    return Number(row['expires']) > this.#rows.now() ? changeOf(row) : null
  }

  /** Uses a row up. Of concurrent calls one gets true. */
  async spend({ id }: EmailChangeRow, kind: EmailChangeKind): Promise<boolean> {
    const isLive = sql`id = ${id} AND kind = ${kind} AND expires > ${this.#rows.now()}`
    return (await this.#rows.drop(isLive)) === 1
  }

  /** Deletes the changes of an account that wait for their click. */
  dropPending(user: string): Promise<number> {
    return this.#rows.drop(sql`user_id = ${user} AND kind = 'pending'`)
  }

  /** Deletes the rows of an account that came after this one. */
  dropLater({ id, user }: EmailChangeRow): Promise<number> {
    return this.#rows.drop(sql`user_id = ${user} AND id > ${id}`)
  }

  /** Deletes all expired rows and resolves with their number. */
  sweep(): Promise<number> {
    return this.#rows.failClosed(0, () => this.#rows.sweepExpired())
  }
}

function changeOf(row: ObjectRow): EmailChangeRow {
  const { binding, version } = row
  return {
    id: Number(row['id']),
    user: String(row['user_id']),
    email: String(row['email']),
    binding: typeof binding === 'string' ? binding : null,
    version: typeof version === 'string' ? version : null,
    created: Number(row['created_at']),
  }
}

/**
 * Creates the table for `EmailChange`, in a migration: `await createEmailChangesTable(schema)`. Its
 * `down` is `schema.dropTable('email_changes')`.
 */
export async function createEmailChangesTable(
  schema: Schema,
  name: string = 'email_changes',
): Promise<void> {
  await schema.createTable(name, (table) => {
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
