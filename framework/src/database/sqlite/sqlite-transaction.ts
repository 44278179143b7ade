import { toError } from '../../base/to-error.ts'
import { Semaphore } from '../../base/semaphore.ts'
import { DatabaseError } from '../database-error.ts'
import { withQueryLog } from '../query-log.ts'
import type { QueryLog } from '../query-log.ts'
import type { Transaction } from '../surface.ts'
import { sqlite } from '../sql/dialects/sqlite.ts'
import type { Query } from '../sql/plan/statement.ts'
import { doneOperation, failedOperation, pendingOperation } from '../operation.ts'
import type { Operation } from '../operation.ts'
import { SerialTransaction } from '../serial-transaction.ts'
import { Deadline, retryWhileBusy } from './busy-wait.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

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
  readonly #writers: IdleConnections
  /** Without foreign keys. Rarely needed, so none is kept open. */
  readonly #laxWriters: IdleConnections
  readonly #readers: IdleConnections
  readonly #writing = new Semaphore(1)
  readonly #reading: Semaphore

  constructor(settings: TransactionSettings) {
    this.#settings = settings
    this.#writers = new IdleConnections(settings.openWriter)
    this.#laxWriters = new IdleConnections(() => withoutForeignKeys(settings.openWriter()), 0)
    this.#readers = new IdleConnections(settings.openReader)
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

  async #on<T>(connections: IdleConnections, work: Work<T>, options: BeginOptions): Promise<T> {
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

/** Options of `inTransaction`. */
interface BeginOptions {
  readonly begin: 'BEGIN' | 'BEGIN IMMEDIATE'
  /** How long BEGIN may wait for the lock of another process. */
  readonly deadline: Deadline
  readonly log: QueryLog | null
}

/** Runs `work` between BEGIN and COMMIT; any failure, including that of the COMMIT, rolls back. */
async function inTransaction<T>(
  connection: SqliteConnection,
  work: (transaction: Transaction) => Promise<T> | T,
  { begin, deadline, log }: BeginOptions,
): Promise<T> {
  const wait = (query: Query): Operation =>
    pendingOperation(
      query,
      retryWhileBusy(() => connection.run(query), deadline),
    )
  await withQueryLog(wait, log, sqlite.system)(command(begin)).settled()
  const send = withQueryLog((query) => attempt(connection, query), log, sqlite.system)
  const transaction = new SerialTransaction({
    dialect: sqlite,
    kind: 'sync',
    send,
    // A statement can end it: ON CONFLICT ROLLBACK, a full disk, or an explicit COMMIT.
    watch: () => () => connection.isInTransaction,
    keeps: (verb) => verb === 'COMMIT' || verb === 'END',
  })
  try {
    const outcome = await work(transaction)
    await transaction.complete()
    await send(command('COMMIT')).settled()
    return outcome
  } catch (error) {
    transaction.end()
    await rollBack(connection, send)
    throw error
  }
}

function attempt(connection: SqliteConnection, query: Query): Operation {
  try {
    return doneOperation(query, connection.run(query))
  } catch (error) {
    return failedOperation(query, toError(error))
  }
}

// The error that led here is the one to report; a connection that cannot roll back is closed later.
async function rollBack(
  connection: SqliteConnection,
  send: (query: Query) => Operation,
): Promise<void> {
  if (!connection.isInTransaction) return
  await send(command('ROLLBACK'))
    .settled()
    .catch(() => undefined)
}

function command(sql: string): Query {
  return { sql, parameters: [] }
}

/** Idle connections for the next transactions; opens more on demand. */
export class IdleConnections {
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
