import { Client } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgres } from '../sql/dialects/postgres.ts'
import type { Query } from '../sql/plan/statement.ts'
import type { Database, Notices, Surface, Transaction, TransactionOptions } from '../surface.ts'
import type { QueryLog } from '../query-log.ts'
import type { ConnectionSettings } from '../connection-settings.ts'
import { ConnectionPool } from '../connection-pool.ts'
import { ServerDatabase } from '../server-database.ts'
import { bindStatement, StatementNames } from './postgres-statement.ts'
import type { BoundStatement } from './postgres-statement.ts'
import { inTransaction } from './postgres-transaction.ts'
import { clientConfig } from './postgres-client.ts'
import { PostgresConnection } from './postgres-connection.ts'

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
  const connection = {
    label: settings.label,
    names: settings.prepare ? new StatementNames() : null,
  }
  const pool = new ConnectionPool(settings, () => PostgresConnection.open(client(), connection))
  await pool.use(() => Promise.resolve(), settings.connectTimeout + 1)
  return new PostgresDatabase(settings, pool, log, client)
}

class PostgresDatabase extends ServerDatabase<BoundStatement, PostgresConnection> {
  readonly notices: Notices

  constructor(
    settings: ConnectionSettings,
    pool: ConnectionPool<PostgresConnection>,
    log: QueryLog | null,
    client: () => Client,
  ) {
    super(postgres, settings, pool, log)
    this.notices = postgresNotices(client, this)
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

const pauseMs = 1_000

/**
 * Notices of PostgreSQL, by `NOTIFY` and `LISTEN`. `connect` makes a client that is not connected yet, for
 * a connection outside the pool.
 */
function postgresNotices(connect: () => Client, database: Surface): Notices {
  return {
    notify: async (topic) => {
      await database.run({ sql: 'SELECT pg_notify($1, $2)', parameters: [topic, ''] })
    },
    listen: (topic, wake) => listen(connect, `LISTEN ${postgres.quote(topic)}`, wake),
  }
}

function listen(connect: () => Client, command: string, wake: () => void): () => Promise<void> {
  const closing = new AbortController()
  const { signal } = closing
  let client = connect()
  const run = async (): Promise<void> => {
    for (; !signal.aborted; client = connect()) {
      await listenOnce(client, command, wake).catch(() => {})
      // What was missed meanwhile is found by whoever is woken, who also reports an outage.
      await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => {})
    }
  }
  const running = run()
  return async () => {
    closing.abort()
    client.connection.stream.destroy()
    await running
  }
}

/** Resolves or rejects when the connection has ended. */
async function listenOnce(client: Client, command: string, wake: () => void): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    client.once('error', () => resolve()).once('end', () => resolve())
  })
  client.on('notification', () => wake())
  try {
    await client.connect()
    await client.query(command)
    wake()
    const { stream } = client.connection
    if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
    await ended
  } finally {
    client.on('error', () => {})
    client.connection.stream.destroy()
  }
}
