import type { Dialect } from '../sql/dialects/dialect.ts'
import type { Query } from '../sql/plan/query.ts'
import type { Statement } from '../sql/plan/statement.ts'
import { DatabaseError } from './database-error.ts'
import { isolationLevel } from './isolation-level.ts'
import { objectRows } from './object-rows.ts'
import type { ObjectRow } from './object-rows.ts'
import { failedOperation } from './operation.ts'
import type { Operation, Result } from './operation.ts'
import type { Surface, Transaction, TransactionOptions } from './surface.ts'
import { BusyError } from './surface-errors.ts'
import { toQuery } from './to-query.ts'

/** What a transaction needs of the connection it runs on. */
export interface TransactionLine {
  readonly dialect: Dialect
  readonly kind: Surface['kind']
  /** Sends a statement on the connection of the transaction. */
  readonly send: (query: Query) => Operation
  /**
   * Begins to watch the transaction that the connection is in or begins next. Returns a function that
   * tells whether it goes on, as far as the last answer told.
   */
  readonly watch: () => () => boolean
}

/** What a transaction and those inside it have in common. */
interface TransactionState {
  /** The statement that was sent last. */
  latest: string
  isOpen: () => boolean
}

/**
 * A transaction on a connection that is already inside `BEGIN`: one statement at a time, nested ones
 * by savepoints. Whoever began it ends it, and calls `end()` so that it can be used no more.
 */
export class SerialTransaction implements Transaction {
  readonly dialect: Dialect
  readonly kind: Surface['kind']
  readonly serial = true
  readonly transactional = true
  readonly #line: TransactionLine
  readonly #outer: SerialTransaction | null
  readonly #depth: number
  readonly #state: TransactionState
  #current: Operation | null = null
  #ended = false
  #nested = false

  constructor(line: TransactionLine, outer: SerialTransaction | null = null) {
    this.dialect = line.dialect
    this.kind = line.kind
    this.#line = line
    this.#outer = outer
    this.#depth = outer === null ? 0 : outer.#depth + 1
    this.#state = outer === null ? { latest: '', isOpen: line.watch() } : outer.#state
  }

  dispatch(query: Query): Operation {
    this.#refuseWhenTaken()
    if (!this.isOpen) return failedOperation(query, this.#endedError())
    this.#state.latest = query.sql
    const operation = this.#line.send(query)
    this.#current = operation
    return operation
  }

  pipeline(): never {
    throw new BusyError(
      'E_SURFACE_BUSY',
      'a transaction takes one statement at a time; dispatch the second after the first has settled',
    )
  }

  async run(statement: Query | Statement): Promise<Result> {
    return this.dispatch(toQuery(statement, this.dialect)).settled()
  }

  async rows(statement: Query | Statement): Promise<readonly ObjectRow[]> {
    return objectRows(await this.run(statement))
  }

  async transaction<T>(
    work: (transaction: Transaction) => Promise<T> | T,
    options: TransactionOptions = {},
  ): Promise<T> {
    isolationLevel(options)
    this.#refuseWhenTaken()
    this.#nested = true
    const name = `framework_${this.#depth + 1}`
    const inner = new SerialTransaction(this.#line, this)
    try {
      await this.#command(`SAVEPOINT ${name}`)
      const outcome = await work(inner)
      await inner.complete()
      await this.#command(`RELEASE SAVEPOINT ${name}`)
      return outcome
    } catch (error) {
      inner.end()
      await inner.settled()
      await this.#undo(name)
      throw error
    } finally {
      this.#nested = false
    }
  }

  /** Whether no statement has ended it yet, such as a COMMIT, as far as the last answer told. */
  get isOpen(): boolean {
    return this.#state.isOpen()
  }

  /**
   * Lets its statements begin and end transactions, as migrations do. Returns the line below it,
   * which still can tell whether one of them goes on.
   */
  takeByHand(): TransactionLine {
    this.#state.isOpen = () => true
    return this.#line
  }

  /** Refuses every later statement, also of the transactions inside it. */
  end(): void {
    this.#ended = true
  }

  /**
   * Ends it after work that went well: waits for a statement under way, refuses every later one.
   * @throws BusyError when a transaction inside it is still open, half of which must not be kept.
   * @throws DatabaseError E_TRANSACTION_ENDED when one of its statements has ended it.
   */
  async complete(): Promise<void> {
    this.end()
    await this.settled()
    if (this.#nested) {
      throw new BusyError(
        'E_SURFACE_BUSY',
        'the function of this transaction returned before the one inside it had ended; await the inner one',
      )
    }
    this.refuseWhenNotOpen()
  }

  /** @throws DatabaseError E_TRANSACTION_ENDED when one of its statements has ended it. */
  refuseWhenNotOpen(): void {
    if (!this.isOpen) throw this.#endedError()
  }

  /** Resolves when the statement under way, if any, has its answer, good or bad. */
  async settled(): Promise<void> {
    await this.#current?.settled().catch(() => undefined)
  }

  // The first error is the one to tell; a connection that broke has undone everything anyway.
  async #undo(name: string): Promise<void> {
    try {
      await this.#command(`ROLLBACK TO SAVEPOINT ${name}`)
      await this.#command(`RELEASE SAVEPOINT ${name}`)
    } catch {}
  }

  // After the end the connection may serve somebody else, whose savepoints have the same names.
  async #command(sql: string): Promise<Result> {
    this.#refuseWhenEnded()
    this.refuseWhenNotOpen()
    return this.#line.send({ sql, parameters: [] }).settled()
  }

  // Only the first word: what follows it may be anything.
  #endedError(): DatabaseError {
    const [verb = 'a statement'] = /[a-z]+/i.exec(withoutComments(this.#state.latest)) ?? []
    return new DatabaseError(
      'E_TRANSACTION_ENDED',
      `${verb.toUpperCase()} ended this transaction: what came before it is decided, and nothing can follow; ` +
        'leave BEGIN, COMMIT and ROLLBACK to transaction(), and changes of tables to migrations',
    )
  }

  #refuseWhenEnded(): void {
    if (this.#outer !== null) this.#outer.#refuseWhenEnded()
    if (!this.#ended) return
    throw new DatabaseError(
      'E_DATABASE_CLOSED',
      'this transaction has ended; its statements must come before its function returns',
    )
  }

  #refuseWhenTaken(): void {
    this.#refuseWhenEnded()
    if (!this.#nested && this.#current?.state !== 'pending') return
    throw new BusyError(
      'E_SURFACE_BUSY',
      this.#nested
        ? 'this transaction waits for the one inside it; use the inner one until it has ended'
        : 'this transaction has a statement under way; wait for it before the next',
    )
  }
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/\/\*[^]*?\*\/|--[^\n]*/g, '')
}
