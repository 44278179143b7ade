import type { Dialect } from '../sql/dialects/dialect.ts'
import type { Query } from '../sql/plan/query.ts'
import type { Statement } from '../sql/plan/statement.ts'
import type { Operation, Result } from './operation.ts'

/** What statements are sent through: a database with its pool, or one transaction on it. */
export interface Surface {
  readonly dialect: Dialect
  /** A `sync` surface has its rows when `dispatch` returns, an `async` one later. */
  readonly kind: 'sync' | 'async'
  /** Whether a second statement is refused while one is pending. */
  readonly serial: boolean
  /**
   * Whether it is part of work that somebody else ends as a whole: a transaction, or the connection of
   * a migration. There nothing is tried again, and whoever began it hears of every failure.
   */
  readonly transactional: boolean
  /**
   * Sends a statement at once.
   * @throws BusyError on a serial surface with a statement pending. Failures of the statement itself
   *   are in the operation.
   */
  dispatch(query: Query): Operation
  /**
   * Sends two statements on one connection in one flush: the second does not wait for the first.
   * @throws BusyError on a serial surface.
   */
  pipeline(first: Query, second: Query): readonly [Operation, Operation]
  /** Runs a statement and resolves with what it gave back. */
  run(statement: Query | Statement): Promise<Result>
  /** Runs a statement and resolves with its rows as objects by column name. */
  rows(statement: Query | Statement): Promise<readonly Readonly<Record<string, unknown>>[]>
  /**
   * Runs `work` in a transaction, which is committed when `work` resolves and rolled back when it
   * throws. On a transaction it is a savepoint: what `work` did is undone, the outer one goes on.
   * @throws InvalidArgumentException for an isolation that there is not.
   */
  transaction<T>(
    work: (transaction: Transaction) => Promise<T> | T,
    options?: TransactionOptions,
  ): Promise<T>
}

/** How a transaction is begun. */
export interface TransactionOptions {
  /** Refuse writes, and do not stand in the way of writers. */
  readonly readOnly?: boolean
  /** Isolation, where the database knows levels; its own default when left out. */
  readonly isolation?: 'read-committed' | 'repeatable-read' | 'serializable'
  /**
   * Whether foreign keys hold, on a database that can be told so only before a transaction begins.
   * False is for tables that are dropped or made anew while others refer to them.
   * @default true
   */
  readonly foreignKeys?: boolean
}

/** One transaction. It is serial: one statement at a time. */
export interface Transaction extends Surface {
  readonly serial: true
  readonly transactional: true
}

/** A database: a surface that can be asked for its health and closed. */
export interface Database extends Surface {
  readonly transactional: false
  /** Its URL without password, for banners and messages. */
  readonly label: string
  /** Resolves when the database answers. Meant for `ready('database', () => database.ping())`. */
  ping(): Promise<void>
  /** Waits for what is under way, then gives every connection back. Later statements fail clearly. */
  close(): Promise<void>
}
