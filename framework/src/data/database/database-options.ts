import type { QueryLog } from './query-log.ts'

/** What a driver is given beside the settings of the URL. */
export interface DatabaseOptions {
  readonly log: QueryLog | null
}
