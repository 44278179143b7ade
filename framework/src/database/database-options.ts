import type { QueryLog } from './query-log.ts'

/** Options for a driver, besides the settings from the URL. */
export interface DatabaseOptions {
  readonly log: QueryLog | null
}
