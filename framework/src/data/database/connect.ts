import { parseDatabaseUrl } from './database-url.ts'
import { drivers } from './drivers.ts'
import type { QueryLog } from './query-log.ts'
import type { Database } from './surface.ts'

/** What a connection can be given beside its URL. */
export interface ConnectOptions {
  /** Hears of every statement. */
  readonly log?: QueryLog
}

/**
 * Connects to the database that a URL names. Only the driver that is asked for is loaded.
 * @throws ConfigurationError for a URL that cannot be used or a driver that is not installed;
 *   DatabaseError when the database does not answer.
 */
export async function connect(url: string, { log }: ConnectOptions = {}): Promise<Database> {
  const settings = parseDatabaseUrl(url)
  return drivers[settings.dialect].open(settings, { log: log ?? null })
}
