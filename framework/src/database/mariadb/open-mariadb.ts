import { ConfigurationError } from '../../base/errors.ts'
import type { DatabaseOptions } from '../database-options.ts'
import type { DatabaseSettings } from '../connection-settings.ts'
import { ConnectionPool } from '../connection-pool.ts'
import type { Database } from '../surface.ts'
import { MariadbConnection } from './mariadb-connection.ts'
import { MariadbDatabase } from './mariadb-database.ts'
import { StatementBinder } from './mariadb-statement.ts'

/**
 * Opens a MariaDB database and makes a first connection, so that a wrong URL fails early.
 * @throws ConfigurationError E_DATABASE_URL when the URL has no user, E_DATABASE_SERVER for a MySQL server;
 * DatabaseError E_CONNECTION_LOST when no connection can be made.
 */
export async function openMariadb(
  settings: DatabaseSettings,
  { log }: DatabaseOptions,
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
