import type { SqliteConnection } from './sqlite-connection.ts'

const MOST_IDLE = 4

/** Connections that wait for their next transaction, opened when there is none. */
export class ConnectionPool {
  readonly #open: () => SqliteConnection
  readonly #idle: SqliteConnection[] = []

  constructor(open: () => SqliteConnection) {
    this.#open = open
  }

  /** @throws DatabaseError when a connection cannot be opened. */
  take(): SqliteConnection {
    return this.#idle.pop() ?? this.#open()
  }

  /** Takes a connection back. One that could not leave its transaction is closed, which undoes it. */
  give(connection: SqliteConnection): void {
    if (connection.isInTransaction || this.#idle.length >= MOST_IDLE) connection.close()
    else this.#idle.push(connection)
  }

  /** Closes those that wait. */
  close(): void {
    for (const connection of this.#idle.splice(0)) connection.close()
  }
}
