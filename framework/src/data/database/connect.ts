import type { Dialects } from '../sql/dialects/dialect.ts'
import type { DatabaseOptions } from './database-options.ts'
import { parseDatabaseUrl } from './database-url.ts'
import type { DatabaseSettings } from './database-url.ts'
import { loadDriver } from './load-driver.ts'
import type { QueryLog } from './query-log.ts'
import type { Database } from './surface.ts'

/** What a connection can be given beside its URL. */
export interface ConnectOptions {
  /** Hears of every statement. */
  readonly log?: QueryLog
}

/**
 * Connects to the database that a URL names, such as `sqlite:storage/database.sqlite`. Only the driver
 * that is asked for is loaded.
 * @throws ConfigurationError for a URL that cannot be used or a driver that is not installed;
 *   DatabaseError when the database does not answer.
 */
export async function connect(url: string, { log }: ConnectOptions = {}): Promise<Database> {
  const settings = parseDatabaseUrl(url)
  return open[settings.dialect](settings, { log: log ?? null })
}

type Open = (settings: DatabaseSettings, options: DatabaseOptions) => Promise<Database>

const open: Readonly<Record<Dialects, Open>> = {
  sqlite: async (settings, options) => {
    const { openSqlite } = await import('./sqlite/open-sqlite.ts')
    return openSqlite(settings, options)
  },
  postgres: async (settings, options) => {
    const { openPostgres } = await loadDriver('pg', () => import('./postgres/open-postgres.ts'))
    return openPostgres(settings, options)
  },
  mariadb: async (settings, options) => {
    const { openMariadb } = await loadDriver('mariadb', () => import('./mariadb/open-mariadb.ts'))
    return openMariadb(settings, options)
  },
}
