/** A database server for tests, in a process of its own or named by the environment. */
export interface DatabaseServer {
  readonly port: number
  /** URL of a database on it; `database` may carry options: `test_1?pool=2`. */
  url(database: string): string
  /** Makes an empty database and resolves with its URL. */
  createDatabase(): Promise<string>
  /** Ends the server at once, as a power cut would. Rejects for a server that is not ours. */
  kill(): Promise<void>
  /** Starts it again on the same port and data. Rejects for a server that is not ours. */
  restart(): Promise<void>
  /** Ends it and removes its data. It ends with this process too, however that ends. */
  stop(): Promise<void>
}
