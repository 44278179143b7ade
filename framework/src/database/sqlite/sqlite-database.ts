import { stat } from 'node:fs/promises'

import { toError } from '../../base/to-error.ts'
import { sqlite } from '../sql/dialects/sqlite.ts'
import type { Dialect } from '../sql/dialects/dialect.ts'
import type { Query } from '../sql/plan/query.ts'
import type { Statement } from '../sql/plan/statement.ts'
import { DatabaseError } from '../database-error.ts'
import { isolationLevel } from '../isolation-level.ts'
import { asDeclared, objectRows } from '../object-rows.ts'
import type { ObjectRow } from '../sql/rows/declared-rows.ts'
import { doneOperation, failedOperation, pendingOperation } from '../operation.ts'
import type { Operation, Result } from '../operation.ts'
import { withQueryLog } from '../query-log.ts'
import type { QueryLog } from '../query-log.ts'
import { repeatTransaction } from '../repeat-transaction.ts'
import type { Database, Transaction, TransactionOptions } from '../surface.ts'
import { toQuery } from '../to-query.ts'
import { isBusy, retryWhileBusy } from './busy-wait.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import type { SqliteTransactions } from './sqlite-transactions.ts'

/** The parts of a `SqliteDatabase`. */
export interface SqliteParts {
  readonly label: string
  readonly file: string
  readonly main: SqliteConnection
  readonly transactions: SqliteTransactions
  readonly log: QueryLog | null
  /** Called after the last connection is closed. */
  readonly afterClose: () => Promise<void>
}

/**
 * An SQLite database. Statements outside transactions run synchronously on one connection; only if
 * the file is locked does `dispatch` return a pending operation, which retries.
 */
export class SqliteDatabase implements Database {
  readonly dialect: Dialect = sqlite
  readonly kind = 'sync'
  readonly serial = false
  readonly transactional = false
  readonly label: string
  readonly #parts: SqliteParts
  readonly #send: (query: Query) => Operation
  readonly #pending = new PendingWork()
  #closed: Promise<void> | null = null

  constructor(parts: SqliteParts) {
    this.label = parts.label
    this.#parts = parts
    this.#send = withQueryLog((query) => this.#attempt(query), parts.log, sqlite.system)
  }

  dispatch(query: Query): Operation {
    return this.#send(query)
  }

  pipeline(first: Query, second: Query): readonly [Operation, Operation] {
    return [this.dispatch(first), this.dispatch(second)]
  }

  async run(statement: Query | Statement<unknown>): Promise<Result> {
    const result = await this.dispatch(toQuery(statement, this.dialect)).settled()
    return asDeclared(result, statement, this.dialect)
  }

  async rows<Row = ObjectRow>(statement: Query | Statement<Row>): Promise<readonly Row[]> {
    return objectRows(await this.run(statement), statement)
  }

  async transaction<T>(
    work: (transaction: Transaction) => Promise<T> | T,
    options: TransactionOptions = {},
  ): Promise<T> {
    if (this.#closed !== null) throw closedError()
    isolationLevel(options)
    const { transactions } = this.#parts
    const { readOnly = false, foreignKeys = true } = options
    const attempt = (): Promise<T> =>
      readOnly ? transactions.read(work) : transactions.write(work, foreignKeys)
    return this.#pending.add(repeatTransaction(options, attempt))
  }

  /** Reads from the file, and checks that it still exists. */
  async ping(): Promise<void> {
    await this.run({ sql: 'SELECT count(*) FROM sqlite_schema', parameters: [] })
    try {
      await stat(this.#parts.file)
    } catch {
      throw new DatabaseError('E_DATABASE', `the file of ${this.label} is gone`)
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    const { main, transactions, afterClose } = this.#parts
    await this.#pending.finished()
    transactions.close()
    optimize(main)
    main.close()
    await afterClose()
  }

  #attempt(query: Query): Operation {
    if (this.#closed !== null) return failedOperation(query, closedError())
    try {
      return doneOperation(query, this.#run(query))
    } catch (error) {
      if (!isBusy(error)) return failedOperation(query, toError(error))
      return pendingOperation(query, this.#pending.add(this.#runLater(query)))
    }
  }

  #runLater(query: Query): Promise<Result> {
    const { transactions } = this.#parts
    return transactions.afterWriters((deadline) => retryWhileBusy(() => this.#run(query), deadline))
  }

  #run(query: Query): Result {
    const { main } = this.#parts
    const result = main.run(query)
    if (!main.isInTransaction) return result
    // All other requests of the process would run inside it.
    main.run({ sql: 'ROLLBACK', parameters: [] })
    throw new DatabaseError('E_STATEMENT', 'start transactions with transaction(), not with BEGIN')
  }
}

// Updates the statistics of the query planner; may be skipped while another process is writing.
function optimize(connection: SqliteConnection): void {
  try {
    connection.run({ sql: 'PRAGMA optimize', parameters: [] })
  } catch {}
}

function closedError(): DatabaseError {
  return new DatabaseError(
    'E_DATABASE_CLOSED',
    'the database has been closed; no statement can be sent',
  )
}

/** Promises that have not settled yet. */
class PendingWork {
  readonly #running = new Set<Promise<unknown>>()

  /** Tracks a promise until it settles, and returns it. */
  add<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work)
    const remove = (): void => void this.#running.delete(work)
    work.then(remove, remove)
    return work
  }

  /** Resolves when nothing is pending. */
  async finished(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }
}
