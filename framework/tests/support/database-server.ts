/** A database server for tests, in its own process or given by the environment. */
export interface DatabaseServer {
  readonly port: number
  /** URL of a database on it; `database` may include options: `test_1?pool=2`. */
  url(database: string): string
  /** Creates an empty database and resolves with its URL. */
  createDatabase(): Promise<string>
  /** Kills the server, like a power cut. Rejects for a server that is not ours. */
  kill(): Promise<void>
  /** Starts it again on the same port and data. Rejects for a server that is not ours. */
  restart(): Promise<void>
  /** Stops it and removes its data. It also ends with this process, however that ends. */
  stop(): Promise<void>
}
