import { ConfigurationError } from '../../base/errors.ts'
import { mariadb } from '../sql/dialects/mariadb.ts'
import type { Dialect } from '../sql/dialects/dialect.ts'
import type { Query, Statement } from '../sql/plan/statement.ts'
import { BusyError, DatabaseError } from '../database-error.ts'
import { asDeclared, objectRows, toQuery } from '../run-statement.ts'
import type { ObjectRow } from '../sql/plan/declared-rows.ts'
import { pendingOperation } from '../operation.ts'
import type { Operation, Result } from '../operation.ts'
import { withQueryLog } from '../query-log.ts'
import type { QueryLog } from '../query-log.ts'
import { repeatTransaction } from '../retry-on-deadlock.ts'
import type { Database, Transaction, TransactionOptions } from '../surface.ts'
import type { ConnectionSettings } from '../connection-settings.ts'
import { ConnectionPool } from '../connection-pool.ts'
import { StatementBinder } from './mariadb-statement.ts'
import type { BoundStatement } from './mariadb-statement.ts'
import { changeAndRead, inTransaction } from './mariadb-transaction.ts'
import { MariadbConnection } from './mariadb-connection.ts'

/**
 * Opens a MariaDB database and makes a first connection, so that a wrong URL fails early.
 * @throws ConfigurationError E_DATABASE_URL when the URL has no user, E_DATABASE_SERVER for a MySQL server;
 * DatabaseError E_CONNECTION_LOST when no connection can be made.
 */
export async function openMariadb(
  settings: ConnectionSettings,
  log: QueryLog | null,
): Promise<Database> {
  // The driver would use the one from the environment.
  if (settings.user === '') {
    throw new ConfigurationError(
      'E_DATABASE_URL',
      'the database URL cannot be used: it names no user; write mariadb://user:password@host/name',
    )
  }
  const pool = new ConnectionPool({
    open: () => MariadbConnection.open(settings),
    size: settings.pool,
    timeout: settings.poolTimeout,
  })
  await pool.use(() => Promise.resolve(), settings.connectTimeout + 1)
  const label = settings.label
  const binder = new StatementBinder(settings.prepare)
  return new MariadbDatabase({ label, pool, binder, pipeline: settings.pipeline, log })
}

/** The parts of a `MariadbDatabase`. */
interface MariadbParts {
  readonly label: string
  readonly pool: ConnectionPool<MariadbConnection>
  readonly binder: StatementBinder
  /** Whether two statements may be pending on one connection. */
  readonly pipeline: boolean
  readonly log: QueryLog | null
}

const pingSeconds = 3

/**
 * A MariaDB database. Without pipelining it declares itself serial, so that page mode
 * sends its count later; other statements still run concurrently on their own connections.
 */
class MariadbDatabase implements Database {
  readonly dialect: Dialect = mariadb
  readonly kind = 'async'
  readonly serial: boolean
  readonly transactional = false
  readonly label: string
  readonly changeAndRead?: NonNullable<Database['changeAndRead']>
  readonly #pool: ConnectionPool<MariadbConnection>
  readonly #binder: StatementBinder
  readonly #log: QueryLog | null

  constructor({ label, pool, binder, pipeline, log }: MariadbParts) {
    this.label = label
    this.serial = !pipeline
    this.#pool = pool
    this.#binder = binder
    this.#log = log
    if (pipeline) this.changeAndRead = (change, read) => this.#changeAndRead(change, read)
  }

  /** @throws InvalidArgumentException for values that cannot be bound. */
  dispatch(query: Query): Operation {
    const statement = this.#binder.bind(query)
    return this.#operation(query, () =>
      this.#pool.use((connection) => sendAlone(connection, statement)),
    )
  }

  /**
   * @throws InvalidArgumentException for values that cannot be bound; BusyError with pipeline=off.
   */
  pipeline(first: Query, second: Query): readonly [Operation, Operation] {
    if (this.serial) {
      throw new BusyError(
        'E_SURFACE_BUSY',
        'pipeline=off in the database URL forbids two statements on one connection; dispatch them separately',
      )
    }
    const [firstBound, secondBound] = [this.#binder.bind(first), this.#binder.bind(second)]
    const [one, other] = [Promise.withResolvers<Result>(), Promise.withResolvers<Result>()]
    const operations = [
      this.#operation(first, () => one.promise),
      this.#operation(second, () => other.promise),
    ] as const
    const sent = this.#pool.use(async (connection) => {
      connection.batch(() => {
        one.resolve(connection.send(firstBound))
        other.resolve(connection.send(secondBound))
      })
      await Promise.allSettled([one.promise, other.promise])
      await this.#leaveTransaction(connection)
    })
    sent.catch((error: unknown) => {
      one.reject(error)
      other.reject(error)
    })
    return operations
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
    return repeatTransaction(options, () => this.#attempt(work, options))
  }

  ping(): Promise<void> {
    const select = this.#binder.bind({ sql: 'SELECT 1', parameters: [] })
    return this.#pool.use((connection) => ping(connection, select), pingSeconds)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #attempt<T>(
    work: (transaction: Transaction) => Promise<T> | T,
    options: TransactionOptions,
  ): Promise<T> {
    return this.#reserve((connection) => {
      const send = (query: Query): Operation =>
        this.#send(connection, this.#binder.bind(query), query)
      return inTransaction(send, work, options, () => connection.mayBeInTransaction)
    })
  }

  #changeAndRead(change: Query, read: Query): Promise<readonly [Result, Result]> {
    return this.#reserve((connection) => {
      const send = (query: Query): Operation => {
        const bound = this.#binder.bind(query)
        // A prepared change might have to be sent again, which would be after the read.
        const statement = query === change ? { ...bound, isPrepared: false } : bound
        return this.#send(connection, statement, query)
      }
      return changeAndRead(send, (sendAll) => connection.batch(sendAll), change, read)
    })
  }

  /** Reserves a connection for a transaction, after which it must be outside one. */
  #reserve<T>(work: (connection: MariadbConnection) => Promise<T>): Promise<T> {
    return this.#pool.use(async (connection) => {
      try {
        return await work(connection)
      } finally {
        if (connection.usable && connection.mayBeInTransaction) {
          connection.destroy('the transaction could not be ended')
        }
      }
    })
  }

  #send(connection: MariadbConnection, statement: BoundStatement, query: Query): Operation {
    return this.#operation(query, () => connection.send(statement))
  }

  #operation(query: Query, response: () => Promise<Result>): Operation {
    const send = (): Operation => pendingOperation(query, response())
    return withQueryLog(send, this.#log, mariadb.system)(query)
  }

  // It is unknown which statement began a transaction, and whether a failed one did.
  async #leaveTransaction(connection: MariadbConnection): Promise<void> {
    if (!connection.usable || !connection.mayBeInTransaction) return
    const rollback = this.#binder.bind({ sql: 'ROLLBACK', parameters: [] })
    await connection.send(rollback).catch(() => connection.destroy('the rollback failed'))
  }
}

/** Outside a transaction. The connection must not return to the pool inside one. */
async function sendAlone(
  connection: MariadbConnection,
  statement: BoundStatement,
): Promise<Result> {
  const result = await connection.send(statement)
  if (!connection.mayBeInTransaction) return result
  connection.destroy('an earlier statement started a transaction')
  throw new DatabaseError(
    'E_STATEMENT',
    'the statement started a transaction, which was rolled back; use database.transaction()',
  )
}

async function ping(connection: MariadbConnection, select: BoundStatement): Promise<void> {
  const timer = setTimeout(
    () => connection.destroy(`the database did not answer within ${pingSeconds} s`),
    pingSeconds * 1000,
  )
  try {
    await connection.send(select)
  } finally {
    clearTimeout(timer)
  }
}
