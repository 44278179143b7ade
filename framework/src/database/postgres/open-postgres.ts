import { Client } from 'pg'
import type { DatabaseOptions } from '../database-options.ts'
import type { DatabaseSettings } from '../connection-settings.ts'
import type { Database } from '../surface.ts'
import { clientConfig } from './client-config.ts'
import { ConnectionPool } from '../connection-pool.ts'
import { PostgresConnection } from './postgres-connection.ts'
import { PostgresDatabase } from './postgres-database.ts'
import { StatementNames } from './statement-names.ts'

/** Seconds beyond `statement_timeout` to wait for the server. */
const graceSeconds = 5

/**
 * Opens a PostgreSQL database and makes a first connection, so that a wrong URL fails early.
 * @throws DatabaseError E_CONNECTION_LOST when no connection can be made.
 */
export async function openPostgres(
  settings: DatabaseSettings,
  { log }: DatabaseOptions,
): Promise<Database> {
  const label = settings.label
  const config = clientConfig(settings)
  const client = (): Client => new Client(config)
  const { statementTimeout } = settings
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
  return new PostgresDatabase({ label, pool, pipeline: settings.pipeline, log, client })
}
