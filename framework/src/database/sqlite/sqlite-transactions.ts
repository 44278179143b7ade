import { DatabaseError } from '../database-error.ts'
import type { QueryLog } from '../query-log.ts'
import type { Transaction } from '../surface.ts'
import { Deadline, retryWhileBusy } from './busy-wait.ts'
import { ConnectionPool } from './connection-pool.ts'
import { inTransaction } from './in-transaction.ts'
import type { BeginOptions } from './in-transaction.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { Semaphore } from './semaphore.ts'

/** Settings of `SqliteTransactions`. Times are in seconds. */
export interface TransactionSettings {
  /** Opens a connection that may write. */
  readonly openWriter: () => SqliteConnection
  /** Opens a read-only connection. */
  readonly openReader: () => SqliteConnection
  /** Maximum number of concurrent read-only transactions. */
  readonly pool: number
  readonly poolTimeout: number
  readonly busyTimeout: number
  readonly log: QueryLog | null
}

type Work<T> = (transaction: Transaction) => Promise<T> | T

/**
 * Transactions on their own connections, so that no other statement of the process runs inside one.
 * SQLite allows one writer at a time: those of this process queue here in order.
 */
export class SqliteTransactions {
  readonly #settings: TransactionSettings
  readonly #writers: ConnectionPool
  /** Without foreign keys. Rarely needed, so none is kept open. */
  readonly #laxWriters: ConnectionPool
  readonly #readers: ConnectionPool
  readonly #writing = new Semaphore(1)
  readonly #reading: Semaphore

  constructor(settings: TransactionSettings) {
    this.#settings = settings
    this.#writers = new ConnectionPool(settings.openWriter)
    this.#laxWriters = new ConnectionPool(() => withoutForeignKeys(settings.openWriter()), 0)
    this.#readers = new ConnectionPool(settings.openReader)
    this.#reading = new Semaphore(settings.pool)
  }

  /** Runs a transaction that holds the write lock from its start. */
  write<T>(work: Work<T>, foreignKeys: boolean): Promise<T> {
    const { log } = this.#settings
    const writers = foreignKeys ? this.#writers : this.#laxWriters
    return this.afterWriters((deadline) =>
      this.#on(writers, work, { begin: 'BEGIN IMMEDIATE', deadline, log }),
    )
  }

  /** Runs a transaction on a snapshot of the database, which blocks no one. */
  async read<T>(work: Work<T>): Promise<T> {
    const { pool, poolTimeout, busyTimeout, log } = this.#settings
    const release = await this.#reading.acquire(poolTimeout * 1000)
    if (release === null) {
      throw new DatabaseError(
        'E_POOL_TIMEOUT',
        `all ${pool} read-only transactions stayed open for ${poolTimeout} s; raise pool= or end them sooner`,
      )
    }
    const deadline = new Deadline(busyTimeout)
    try {
      return await this.#on(this.#readers, work, { begin: 'BEGIN', deadline, log })
    } finally {
      release()
    }
  }

  /**
   * Runs `work` while no transaction of this process writes, and holds others back meanwhile.
   * @throws DatabaseError E_DATABASE_BUSY when the earlier writers take too long.
   */
  async afterWriters<T>(work: (deadline: Deadline) => Promise<T>): Promise<T> {
    const deadline = new Deadline(this.#settings.busyTimeout)
    const release = await this.#writing.acquire(deadline.leftMs)
    if (release === null) {
      throw deadline.timeoutError(
        'transactions of this process are writing; inside a transaction, write through it and not through the database',
      )
    }
    try {
      return await work(deadline)
    } finally {
      release()
    }
  }

  /** Closes the idle connections. */
  close(): void {
    this.#writers.close()
    this.#readers.close()
  }

  async #on<T>(connections: ConnectionPool, work: Work<T>, options: BeginOptions): Promise<T> {
    const connection = await retryWhileBusy(() => connections.take(), options.deadline)
    try {
      return await inTransaction(connection, work, options)
    } finally {
      connections.give(connection)
    }
  }
}

function withoutForeignKeys(connection: SqliteConnection): SqliteConnection {
  connection.run({ sql: 'PRAGMA foreign_keys = OFF', parameters: [] })
  return connection
}
