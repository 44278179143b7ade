import { DatabaseSync } from 'node:sqlite'

import type { Query } from '../../sql/plan/query.ts'
import type { Result } from '../operation.ts'
import { PreparedStatement } from './prepared-statement.ts'
import { sqliteBindings } from './sqlite-bindings.ts'
import { isLogicError, runFailure } from './sqlite-failure.ts'
import { StatementCache } from './statement-cache.ts'

const KEPT_STATEMENTS = 200

/** One connection to a database file. It never waits: a lock of somebody else is an error at once. */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #statements = new StatementCache<PreparedStatement>(KEPT_STATEMENTS)

  /**
   * Opens the file and runs the given settings on it.
   * @throws DatabaseError, of which E_DATABASE_BUSY is worth another attempt.
   */
  constructor(file: string, settings: readonly string[]) {
    this.#database = opened(file)
    try {
      for (const sql of settings) this.run({ sql, parameters: [] })
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Whether it is between BEGIN and its end. */
  get isInTransaction(): boolean {
    return this.#database.isTransaction
  }

  /**
   * Runs a statement to its end.
   * @throws DatabaseError, or InvalidArgumentException before anything is run.
   */
  run(query: Query): Result {
    const values = sqliteBindings(query.parameters)
    const prepared = this.#prepared(query.sql)
    try {
      return prepared.run(values, query.raw === true)
    } catch (error) {
      // A table that is gone since shows itself only now. Preparing the statement again says so in
      // words that cannot hold a value.
      if (isLogicError(error)) this.#prepare(query.sql)
      throw runFailure(error)
    }
  }

  close(): void {
    this.#database.close()
  }

  #prepared(sql: string): PreparedStatement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const prepared = this.#prepare(sql)
    if (prepared.isLasting) this.#statements.set(sql, prepared)
    return prepared
  }

  #prepare(sql: string): PreparedStatement {
    return new PreparedStatement(this.#database, sql)
  }
}

function opened(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 })
  } catch (error) {
    throw runFailure(error)
  }
}
