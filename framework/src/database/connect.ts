import { parseDatabaseUrl } from './database-url.ts'
import { drivers } from './drivers.ts'
import type { QueryLog } from './query-log.ts'
import type { Database } from './surface.ts'

/** Options of `connect`. */
export interface ConnectOptions {
  /** Called for every statement. */
  readonly log?: QueryLog
}

/**
 * Connects to the database at a URL. Only the driver it needs is loaded.
 * @throws ConfigurationError for an invalid URL or a driver that is not installed; DatabaseError
 * when the database cannot be reached.
 */
export async function connect(url: string, { log }: ConnectOptions = {}): Promise<Database> {
  const settings = parseDatabaseUrl(url)
  return drivers[settings.dialect].open(settings, log ?? null)
}
