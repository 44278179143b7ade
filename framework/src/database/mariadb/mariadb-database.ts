import { ConfigurationError } from '../../base/errors.ts'
import { mariadb } from '../sql/dialects/mariadb.ts'
import type { Query } from '../sql/plan/statement.ts'
import type { Operation, Result } from '../operation.ts'
import type { QueryLog } from '../query-log.ts'
import type { Database, Transaction, TransactionOptions } from '../surface.ts'
import type { ConnectionSettings } from '../connection-settings.ts'
import { ConnectionPool } from '../connection-pool.ts'
import { ServerDatabase } from '../server-database.ts'
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
  const pool = new ConnectionPool(settings, () => MariadbConnection.open(settings))
  await pool.use(() => Promise.resolve(), settings.connectTimeout + 1)
  return new MariadbDatabase(settings, pool, log)
}

class MariadbDatabase extends ServerDatabase<BoundStatement, MariadbConnection> {
  readonly changeAndRead?: NonNullable<Database['changeAndRead']>
  readonly #binder: StatementBinder

  constructor(
    settings: ConnectionSettings,
    pool: ConnectionPool<MariadbConnection>,
    log: QueryLog | null,
  ) {
    super(mariadb, settings, pool, log)
    this.#binder = new StatementBinder(settings.prepare)
    if (settings.pipeline) this.changeAndRead = (change, read) => this.#changeAndRead(change, read)
  }

  protected override bind(query: Query): BoundStatement {
    return this.#binder.bind(query)
  }

  protected override sendPiped(
    connection: MariadbConnection,
    statement: BoundStatement,
  ): Promise<Result> {
    return connection.send(statement)
  }

  protected override attempt<T>(
    work: (transaction: Transaction) => Promise<T> | T,
    options: TransactionOptions,
  ): Promise<T> {
    return this.#reserve((connection) => {
      const send = (query: Query): Operation =>
        this.operation(query, () => connection.send(this.bind(query)))
      return inTransaction(send, work, options, () => connection.mayBeInTransaction)
    })
  }

  #changeAndRead(change: Query, read: Query): Promise<readonly [Result, Result]> {
    return this.#reserve((connection) => {
      const send = (query: Query): Operation => {
        const bound = this.bind(query)
        // A prepared change might have to be sent again, which would be after the read.
        const statement = query === change ? { ...bound, isPrepared: false } : bound
        return this.operation(query, () => connection.send(statement))
      }
      connection.gather()
      return changeAndRead(send, change, read)
    })
  }

  /** Reserves a connection for a transaction, after which it must be outside one. */
  #reserve<T>(work: (connection: MariadbConnection) => Promise<T>): Promise<T> {
    return this.pool.use(async (connection) => {
      try {
        return await work(connection)
      } finally {
        if (connection.usable && connection.mayBeInTransaction) {
          connection.destroy('the transaction could not be ended')
        }
      }
    })
  }
}
