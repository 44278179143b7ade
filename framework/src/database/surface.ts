import type { Dialect } from './sql/dialects/dialect.ts'
import type { Query, Statement } from './sql/plan/statement.ts'
import type { ObjectRow } from './sql/plan/declared-rows.ts'
import type { Operation, Result } from './operation.ts'

/** Where statements are sent: a database with its pool, or one transaction on it. */
export interface Surface {
  readonly dialect: Dialect
  /** A `sync` surface has its rows when `dispatch` returns, an `async` one later. */
  readonly kind: 'sync' | 'async'
  /** Whether a second statement is rejected while one is pending. */
  readonly serial: boolean
  /**
   * Whether it is part of a larger unit of work: a transaction, or the connection of a migration.
   * There nothing is retried, and every failure is passed on to the owner of that unit.
   */
  readonly transactional: boolean
  /**
   * Sends a statement immediately.
   * @throws BusyError on a serial surface with a pending statement. Failures of the statement
   * itself are in the operation.
   */
  dispatch(query: Query): Operation
  /**
   * Sends two statements on one connection in one flush; the second does not wait for the first.
   * @throws BusyError on a serial surface.
   */
  pipeline(first: Query, second: Query): readonly [Operation, Operation]
  /**
   * Runs a change and a read that sees it as one transaction in one flush. Undefined where a change can
   * return its rows, and on a serial surface.
   */
  readonly changeAndRead?: (change: Query, read: Query) => Promise<readonly [Result, Result]>
  /**
   * Runs a statement and resolves with its result. On a transaction it waits for the statements that
   * were sent before it.
   * @throws RowError when the rows are not as the statement declares them.
   */
  run(statement: Query | Statement<unknown>): Promise<Result>
  /**
   * Runs a statement and resolves with its rows: objects by column name, or as the statement declares
   * them.
   */
  rows<Row = ObjectRow>(statement: Query | Statement<Row>): Promise<readonly Row[]>
  /**
   * Runs `work` in a transaction, which is committed when `work` resolves and rolled back when it
   * throws. On a transaction this is a savepoint: only what `work` did is undone.
   * @throws InvalidArgumentException for invalid options, and on a transaction for options that only the
   * outermost one can have.
   */
  transaction<T>(
    work: (transaction: Transaction) => Promise<T> | T,
    options?: TransactionOptions,
  ): Promise<T>
}

/** Options of a transaction. */
export interface TransactionOptions {
  /** Rejects writes, and does not block writers. */
  readonly readOnly?: boolean
  /** Isolation level, on databases that have them. @default that of the database */
  readonly isolation?: 'read-committed' | 'repeatable-read' | 'serializable'
  /**
   * Whether foreign keys are enforced, on a database that can change this only before a transaction
   * begins. Set it to false to drop or rebuild tables that others refer to.
   * @default true
   */
  readonly foreignKeys?: boolean
  /**
   * How often the work is repeated from its start, after short random pauses, when the database ended the
   * transaction because of a conflict with another one (`E_DEADLOCK`). What the work does outside the
   * database is repeated too. A nested transaction is never repeated alone.
   * @default 0
   */
  readonly retry?: number
}

/**
 * One transaction. It is serial: one statement at a time. `run`, `rows` and nested transactions wait for
 * their turn, so `Promise.all` works; `dispatch` does not wait.
 */
export interface Transaction extends Surface {
  readonly serial: true
  readonly transactional: true
}

/** A database: a surface that can be pinged and closed. */
export interface Database extends Surface {
  readonly transactional: false
  /** Its URL without user and password, for banners and messages. */
  readonly label: string
  /** Wake-up calls for other processes; undefined on a database that has none. */
  readonly notices?: Notices
  /** Resolves when the database responds. Use it as `ready('database', () => database.ping())`. */
  ping(): Promise<void>
  /** Waits for pending work, then closes every connection. Later statements are rejected. */
  close(): Promise<void>
}

/** Wake-up calls between the processes that use one database. They carry nothing and may be lost. */
export interface Notices {
  /** Wakes everybody who listens to the topic. */
  notify(topic: string): Promise<void>
  /**
   * Calls `wake` for every notice, and whenever some may have been missed, on a connection of its own that
   * is made anew when it breaks. Returns a function that stops it.
   */
  listen(topic: string, wake: () => void): () => Promise<void>
}
