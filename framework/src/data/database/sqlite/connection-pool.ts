import type { SqliteConnection } from './sqlite-connection.ts'

/** Connections that wait for their next transaction, opened when there is none. */
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

  /** Takes a connection back. One that could not leave its transaction is closed, which undoes it. */
  give(connection: SqliteConnection): void {
    if (connection.isInTransaction || this.#idle.length >= this.#maxIdle) connection.close()
    else this.#idle.push(connection)
  }

  /** Closes those that wait. */
  close(): void {
    for (const connection of this.#idle.splice(0)) connection.close()
  }
}
