import type { Dialect } from './sql/dialects/dialect.ts'

/** The parsed database URL with all defaults. Times are in seconds. */
export interface ConnectionSettings {
  readonly dialect: Dialect['name']
  /** The URL without user and password, for banners and messages. */
  readonly label: string
  /** The file of a file database; null for one in memory. */
  readonly file: string | null
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  /** Maximum number of connections. */
  readonly pool: number
  /** How long a statement waits for a connection. */
  readonly poolTimeout: number
  readonly connectTimeout: number
  /** How long a statement may run; 0 for no limit. */
  readonly statementTimeout: number
  /** How long a statement waits for a lock on the whole file. */
  readonly busyTimeout: number
  /** Turn off behind a pooler that does not support pipelining. */
  readonly pipeline: boolean
  /** Turn off behind a pooler that assigns each statement to another session. */
  readonly prepare: boolean
  readonly tls: 'off' | 'on' | 'unverified'
}
