import { DatabaseError } from '../database-error.ts'
import type { QueryLog } from '../query-log.ts'
import type { Transaction } from '../surface.ts'
import { Deadline, untilFree } from './busy-wait.ts'
import { ConnectionPool } from './connection-pool.ts'
import { inTransaction } from './in-transaction.ts'
import type { BeginOptions } from './in-transaction.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { Turns } from './turns.ts'

/** What transactions need of the database they are on. Times are seconds. */
export interface TransactionSettings {
  /** Opens a connection that may write. */
  readonly openWriter: () => SqliteConnection
  /** Opens a connection that refuses to write. */
  readonly openReader: () => SqliteConnection
  /** Most read-only transactions at a time. */
  readonly pool: number
  readonly poolTimeout: number
  readonly busyTimeout: number
  readonly log: QueryLog | null
}

type Work<T> = (transaction: Transaction) => Promise<T> | T

/**
 * Transactions on connections of their own, so that no other statement of the process falls into one.
 * SQLite has one writer at a time: those of this process queue up here, first come, first served.
 */
export class SqliteTransactions {
  readonly #settings: TransactionSettings
  readonly #writers: ConnectionPool
  /** Without foreign keys. They are rarely asked for, so that none is kept. */
  readonly #laxWriters: ConnectionPool
  readonly #readers: ConnectionPool
  readonly #writing = new Turns(1)
  readonly #reading: Turns

  constructor(settings: TransactionSettings) {
    this.#settings = settings
    this.#writers = new ConnectionPool(settings.openWriter)
    this.#laxWriters = new ConnectionPool(() => withoutForeignKeys(settings.openWriter()), 0)
    this.#readers = new ConnectionPool(settings.openReader)
    this.#reading = new Turns(settings.pool)
  }

  /** Runs a transaction that holds the write lock from its beginning. */
  write<T>(work: Work<T>, foreignKeys: boolean): Promise<T> {
    const { log } = this.#settings
    const writers = foreignKeys ? this.#writers : this.#laxWriters
    return this.afterWriters((deadline) =>
      this.#on(writers, work, { begin: 'BEGIN IMMEDIATE', deadline, log }),
    )
  }

  /** Runs a transaction that sees one state of the database and stands in nobody's way. */
  async read<T>(work: Work<T>): Promise<T> {
    const { pool, poolTimeout, busyTimeout, log } = this.#settings
    const release = await this.#reading.take(poolTimeout * 1000)
    if (release === null) {
      throw new DatabaseError(
        'E_POOL_TIMEOUT',
        `all ${pool} read-only transactions stayed open for ${poolTimeout} s; raise pool or end them sooner`,
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
   * Does something when no transaction of this process writes, and keeps others from it meanwhile.
   * @throws DatabaseError E_DATABASE_BUSY when the writers before it take too long.
   */
  async afterWriters<T>(work: (deadline: Deadline) => Promise<T>): Promise<T> {
    const deadline = new Deadline(this.#settings.busyTimeout)
    const release = await this.#writing.take(deadline.leftMs)
    if (release === null) {
      throw deadline.exhausted(
        'transactions of this process are writing; inside a transaction, write through it and not through the database',
      )
    }
    try {
      return await work(deadline)
    } finally {
      release()
    }
  }

  /** Closes the connections that no transaction uses. */
  close(): void {
    this.#writers.close()
    this.#readers.close()
  }

  async #on<T>(connections: ConnectionPool, work: Work<T>, options: BeginOptions): Promise<T> {
    const connection = await untilFree(() => connections.take(), options.deadline)
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
