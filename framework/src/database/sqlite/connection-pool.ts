import type { SqliteConnection } from './sqlite-connection.ts'

/** Idle connections for the next transactions; opens more on demand. */
export class ConnectionPool {
  readonly #open: () => SqliteConnection
  readonly #maxIdle: number
  readonly #idle: SqliteConnection[] = []

  constructor(open: () => SqliteConnection, maxIdle = 4) {
    this.#open = open
    this.#maxIdle = maxIdle
  }

  /** @throws DatabaseError when a connection cannot be opened. */
  take(): SqliteConnection {
    return this.#idle.pop() ?? this.#open()
  }

  /**
   * Takes a connection back. One that is still inside a transaction is closed, which rolls it back.
   */
  give(connection: SqliteConnection): void {
    if (connection.isInTransaction || this.#idle.length >= this.#maxIdle) connection.close()
    else this.#idle.push(connection)
  }

  /** Closes the idle connections. */
  close(): void {
    for (const connection of this.#idle.splice(0)) connection.close()
  }
}
