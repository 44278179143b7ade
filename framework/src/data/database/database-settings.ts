import type { Dialect } from '../sql/dialects/dialect.ts'

/** What a database URL says, complete. Times are seconds. */
export interface DatabaseSettings {
  readonly dialect: Dialect['name']
  /** The URL without user and password, for banners and messages. */
  readonly label: string
  /** The file of a database that lives in one; null is one that goes with the process. */
  readonly file: string | null
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  /** Most connections at a time. */
  readonly pool: number
  /** How long a statement waits for a connection of the pool. */
  readonly poolTimeout: number
  readonly connectTimeout: number
  /** How long a statement may run; 0 is for ever. */
  readonly statementTimeout: number
  /** How long a statement waits for the lock of a whole file. */
  readonly busyTimeout: number
  /** Off behind a pooler that cannot do it. */
  readonly pipeline: boolean
  /** Off behind a pooler that hands each statement to another session. */
  readonly prepare: boolean
  readonly tls: 'off' | 'on' | 'unverified'
}
