import { DatabaseSync } from 'node:sqlite'
import type { Query } from '../sql/plan/statement.ts'
import type { Result } from '../operation.ts'
import { PreparedStatement, StatementCache, sqliteBindings } from './sqlite-statement.ts'
import { isLogicError, runFailure } from './sqlite-errors.ts'

const maxStatements = 200

/**
 * One connection to a database file. It never waits: if the file is locked, it throws immediately.
 */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #statements = new StatementCache<PreparedStatement>(maxStatements)

  /**
   * Opens the file and runs the given settings.
   * @throws DatabaseError; E_DATABASE_BUSY can be retried.
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

  /** Whether a transaction is open. */
  get isInTransaction(): boolean {
    return this.#database.isTransaction
  }

  /**
   * Runs a statement.
   * @throws DatabaseError, or InvalidArgumentException before anything is run.
   */
  run(query: Query): Result {
    const values = sqliteBindings(query.parameters)
    const prepared = this.#prepared(query.sql)
    try {
      const result = prepared.run(values, query.raw === true)
      return query.details === true ? { ...result, details: prepared.details } : result
    } catch (error) {
      // A table that was dropped since is noticed only now. Preparing the statement again gives an
      // error text that cannot contain a value.
      if (isLogicError(error)) this.#prepare(query.sql)
      throw runFailure(error)
    }
  }

  close(): void {
    this.#database.close()
  }

  #prepared(sql: string): PreparedStatement {
    let prepared = this.#statements.get(sql)
    prepared?.renew()
    if (prepared === undefined) this.#statements.set(sql, (prepared = this.#prepare(sql)))
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
