import { DatabaseError } from '../../../data/database/database-error.ts'
import type { DatabaseFailure } from '../../../data/database/database-error.ts'
import type { Result } from '../../../data/database/operation.ts'
import type { Surface } from '../../../data/database/surface.ts'
import { fixedSql } from '../../../data/sql/plan/fixed-sql.ts'
import type { Query } from '../../../data/sql/plan/query.ts'
import { sql } from '../../../data/sql/plan/statement.ts'
import type { Statement } from '../../../data/sql/plan/statement.ts'
import { retryOnDeadlock } from '../../../data/tables/retry-on-deadlock.ts'
import { normalEmail } from './normal-email.ts'

/** What the table of accounts and its columns are called. */
export interface UsersNames {
  readonly table: string
  /** The primary key: counted up, or made by a default of the column. */
  readonly key: string
  /** The e-mail, under a unique index. */
  readonly identifier: string
  /** The hash of the password, or NULL. */
  readonly secret: string
  /** When the e-mail was verified, epoch seconds, or NULL. */
  readonly verified: string
}

/** An account as it is stored. */
export interface UsersRow {
  readonly id: string
  readonly email: string
  readonly secret: string | null
  readonly isVerified: boolean
}

/** The rows of a table of accounts. Every method rejects with the DatabaseError of its statement. */
export class UsersRows {
  readonly #surface: Surface
  readonly #table: unknown
  readonly #key: unknown
  readonly #identifier: unknown
  readonly #secret: unknown
  readonly #verified: unknown

  /** @throws InvalidArgumentException for a name that no table or column can have. */
  constructor(surface: Surface, names: UsersNames) {
    const { table, key, identifier, secret, verified } = names
    for (const name of [table, key, identifier, secret, verified]) surface.dialect.quote(name)
    this.#surface = surface
    this.#table = sql.name(table)
    this.#key = sql.name(key)
    this.#identifier = sql.name(identifier)
    this.#secret = sql.name(secret)
    this.#verified = sql.name(verified)
  }

  /** The account of an e-mail in its normal form. */
  async byEmail(email: string): Promise<UsersRow | null> {
    const select = this.#select(sql`${this.#identifier} = ${email}`)
    const row = rowOf(await this.#run(select))
    // To the collation of a table that others have made, é may be e.
    return row !== null && normalEmail(row.email) === email ? row : null
  }

  /**
   * The account of an id. A text that no id of that column can be is the id of nobody. `locked` waits
   * for a transaction that changes the row, where the database lets others read meanwhile.
   */
  async byKey(
    user: string,
    { locked = false }: { readonly locked?: boolean } = {},
  ): Promise<UsersRow | null> {
    if (user === '') return null
    const lock = locked ? fixedSql(this.#surface.dialect.locks.share) : sql``
    const select = this.#select(sql`${this.#key} = ${user}${lock}`)
    const found = await this.#expecting('E_VALUE', select)
    const row = found === null ? null : rowOf(found)
    // A database may read '7b' or '7.0' as 7.
    return row?.id === user ? row : null
  }

  /** Adds an account; its id, or null when the e-mail has one already. */
  async insert(email: string, secret: string): Promise<string | null> {
    const added = await this.#expecting(
      'E_DUPLICATE_KEY',
      sql`INSERT INTO ${this.#table} (${this.#identifier}, ${this.#secret})
        VALUES (${email}, ${secret}) RETURNING ${this.#key}`,
    )
    return added === null ? null : String(addedKey(added))
  }

  /** Sets the secret of an account that is there; whether it is. */
  replace({ id }: UsersRow, secret: string): Promise<boolean> {
    return this.#update(sql`${this.#secret} = ${secret}`, sql`${this.#key} = ${id}`)
  }

  /** Sets the secret unless it is another one by now; whether it was set. */
  swap({ id, secret }: Pick<UsersRow, 'id' | 'secret'>, newSecret: string): Promise<boolean> {
    return this.#update(
      sql`${this.#secret} = ${newSecret}`,
      sql`${this.#key} = ${id} AND ${this.#secret} = ${secret}`,
    )
  }

  /** Stamps the time of the verification, the first one; whether the account is there. */
  stamp({ id }: UsersRow, now: number): Promise<boolean> {
    return this.#update(
      sql`${this.#verified} = COALESCE(${this.#verified}, ${now})`,
      sql`${this.#key} = ${id}`,
    )
  }

  #select(condition: Statement): Statement {
    return sql`SELECT ${this.#key}, ${this.#identifier}, ${this.#secret}, ${this.#verified}
      FROM ${this.#table} WHERE ${condition}`
  }

  async #update(assignment: Statement, condition: Statement): Promise<boolean> {
    const update = sql`UPDATE ${this.#table} SET ${assignment} WHERE ${condition}`
    return (await this.#run(update)).affected === 1
  }

  #run(statement: Statement): Promise<Result> {
    const query = this.#raw(statement)
    return retryOnDeadlock(this.#surface, () => this.#surface.run(query))
  }

  // Null for the failure that is an answer. In a transaction it is caught by a savepoint: any error
  // may end the whole of it.
  async #expecting(code: DatabaseFailure, statement: Statement): Promise<Result | null> {
    try {
      if (!this.#surface.serial) return await this.#run(statement)
      return await this.#surface.transaction((inner) => inner.run(this.#raw(statement)))
    } catch (error) {
      if (error instanceof DatabaseError && error.code === code) return null
      throw error
    }
  }

  // So that a key of 64 bits keeps its digits.
  #raw(statement: Statement): Query {
    return { ...statement.compile(this.#surface.dialect), raw: true }
  }
}

function rowOf({ rows: [first] }: Result): UsersRow | null {
  if (!Array.isArray(first)) return null
  const [id, email, secret, verified] = first
  return {
    id: String(id),
    email: String(email),
    secret: typeof secret === 'string' ? secret : null,
    isVerified: verified !== null,
  }
}

function addedKey({ rows: [first] }: Result): unknown {
  if (Array.isArray(first)) return first[0]
  throw new DatabaseError(
    'E_DATABASE',
    'the database took the account and kept none; look at the triggers of its table',
  )
}
