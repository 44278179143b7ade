import { Client } from 'pg'
import { postgres } from '../sql/dialects/postgres.ts'
import type { Query } from '../sql/plan/statement.ts'
import type { Database, Notices, Transaction, TransactionOptions } from '../surface.ts'
import type { QueryLog } from '../query-log.ts'
import type { ConnectionSettings } from '../connection-settings.ts'
import { ConnectionPool } from '../connection-pool.ts'
import { ServerDatabase } from '../server-database.ts'
import { bindStatement, StatementNames } from './postgres-statement.ts'
import type { BoundStatement } from './postgres-statement.ts'
import { PostgresNotices } from './postgres-notices.ts'
import { inTransaction } from './postgres-transaction.ts'
import { clientConfig } from './postgres-client.ts'
import { PostgresConnection } from './postgres-connection.ts'

/** Seconds beyond `statement_timeout` to wait for the server. */
const graceSeconds = 5

/**
 * Opens a PostgreSQL database and makes a first connection, so that a wrong URL fails early.
 * @throws DatabaseError E_CONNECTION_LOST when no connection can be made.
 */
export async function openPostgres(
  settings: ConnectionSettings,
  log: QueryLog | null,
): Promise<Database> {
  const config = clientConfig(settings)
  const client = (): Client => new Client(config)
  const { label, statementTimeout } = settings
  const connection = {
    label,
    names: settings.prepare ? new StatementNames() : null,
    silence: statementTimeout === 0 ? 0 : statementTimeout + graceSeconds,
  }
  const pool = new ConnectionPool({
    open: () => PostgresConnection.open(client(), connection),
    size: settings.pool,
    timeout: settings.poolTimeout,
  })
  await pool.use(() => Promise.resolve(), settings.connectTimeout + 1)
  return new PostgresDatabase(settings, pool, log, client)
}

class PostgresDatabase extends ServerDatabase<BoundStatement, PostgresConnection> {
  readonly notices: Notices

  /** `client` makes a client for a connection outside the pool. */
  constructor(
    { label, pipeline }: ConnectionSettings,
    pool: ConnectionPool<PostgresConnection>,
    log: QueryLog | null,
    client: () => Client,
  ) {
    super({ dialect: postgres, label, pool, pipeline, log })
    this.notices = new PostgresNotices(client, (sql, parameters) => this.run({ sql, parameters }))
  }

  protected override bind(query: Query): BoundStatement {
    return bindStatement(query)
  }

  protected override attempt<T>(
    work: (transaction: Transaction) => Promise<T> | T,
    options: TransactionOptions,
  ): Promise<T> {
    return this.pool.use((connection) => inTransaction(connection, work, options, this.log))
  }
}
