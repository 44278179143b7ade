import { AsyncLocalStorage } from 'node:async_hooks'
import type { Dialect } from './sql/dialects/dialect.ts'
import type { Query } from './sql/plan/statement.ts'
import { BusyError, DatabaseError } from './database-error.ts'
import { isolationLevel, refuseNestedOptions, checkedRetry } from './transaction-options.ts'
import { StatementSurface } from './run-statement.ts'
import { failedOperation } from './operation.ts'
import type { Operation, Result } from './operation.ts'
import type { Surface, Transaction, TransactionOptions } from './surface.ts'

/** The connection of a transaction. */
export interface TransactionConnection {
  readonly dialect: Dialect
  readonly kind: Surface['kind']
  readonly send: (query: Query) => Operation
  /**
   * Starts watching the transaction that is open or begins next. Returns a function that tells
   * whether it was still open at the last response.
   */
  readonly watch: () => () => boolean
  /** Whether a statement with this first word, which ended the transaction, kept what was done in it. */
  readonly keeps: (verb: string) => boolean
}

/** The transaction whose work runs here, if it is a nested one. */
const innermost = new AsyncLocalStorage<SerialTransaction>()

/** Shared by a transaction and the transactions nested in it. */
interface TransactionState {
  /** The statement sent last. */
  latest: string
  isOpen: () => boolean
}

/**
 * A transaction on a connection that is already inside `BEGIN`: one statement at a time, nested
 * transactions as savepoints. `dispatch` rejects a second statement; all else waits for its turn. Its
 * creator commits or rolls back, and calls `end()` to make it unusable.
 */
export class SerialTransaction extends StatementSurface implements Transaction {
  readonly dialect: Dialect
  readonly kind: Surface['kind']
  readonly serial = true
  readonly transactional = true
  readonly #connection: TransactionConnection
  readonly #outer: SerialTransaction | null
  readonly #depth: number
  readonly #state: TransactionState
  readonly #queue = new SerialQueue()
  #current: Operation | null = null
  #ended = false
  #nested = false
  /** Nested transactions that are open or wait for their turn. */
  #unfinished = 0

  constructor(connection: TransactionConnection, outer: SerialTransaction | null = null) {
    super()
    this.dialect = connection.dialect
    this.kind = connection.kind
    this.#connection = connection
    this.#outer = outer
    this.#depth = outer === null ? 0 : outer.#depth + 1
    this.#state = outer === null ? { latest: '', isOpen: connection.watch() } : outer.#state
  }

  dispatch(query: Query): Operation {
    this.#assertFree()
    if (!this.isOpen) return failedOperation(query, this.#endedError())
    this.#state.latest = query.sql
    const operation = this.#connection.send(query)
    this.#current = operation
    return operation
  }

  pipeline(): never {
    throw new BusyError(
      'E_SURFACE_BUSY',
      'a transaction runs one statement at a time; dispatch the second after the first has settled',
    )
  }

  protected override resultOf(query: Query): Promise<Result> {
    return this.#isFree ? this.dispatch(query).settled() : this.#runInTurn(query)
  }

  /**
   * @throws InvalidArgumentException for options that only the outermost transaction can have. With
   * `retry` it is not repeated: the outer one has lost what it did before, too.
   */
  async transaction<T>(
    work: (transaction: Transaction) => Promise<T> | T,
    options: TransactionOptions = {},
  ): Promise<T> {
    isolationLevel(options)
    refuseNestedOptions(options)
    if (options.retry !== undefined) checkedRetry(options.retry)
    this.#assertNotEnded()
    this.#assertOutsideNested()
    this.#unfinished += 1
    try {
      return await this.#queue.run(() => this.#savepoint(work))
    } finally {
      this.#unfinished -= 1
    }
  }

  async #savepoint<T>(work: (transaction: Transaction) => Promise<T> | T): Promise<T> {
    if (this.#current?.state === 'pending') await this.#pendingSettled()
    this.#assertNotEnded()
    this.#nested = true
    const name = `framework_${this.#depth + 1}`
    const inner = new SerialTransaction(this.#connection, this)
    try {
      await this.#command(`SAVEPOINT ${name}`)
      const outcome = await innermost.run(inner, () => work(inner))
      await inner.complete()
      await this.#command(`RELEASE SAVEPOINT ${name}`)
      return outcome
    } catch (error) {
      inner.end()
      await inner.settled()
      await this.#rollBackTo(name)
      throw error
    } finally {
      this.#nested = false
    }
  }

  /** Whether no statement, such as a COMMIT, had ended it at the last response. */
  get isOpen(): boolean {
    return this.#state.isOpen()
  }

  /**
   * Lets its statements begin and end transactions, as migrations do. Returns the underlying
   * connection, which can still tell whether a transaction is open.
   */
  releaseControl(): TransactionConnection {
    this.#state.isOpen = () => true
    return this.#connection
  }

  /** Rejects every later statement, including those of nested transactions. */
  end(): void {
    this.#ended = true
  }

  /**
   * Ends it after successful work: waits for pending statements, then rejects every later one.
   * @throws BusyError when a nested transaction is still open, since half of it must not be kept.
   * @throws DatabaseError E_TRANSACTION_ENDED when one of its statements has ended it.
   */
  async complete(): Promise<void> {
    while (!this.#queue.isFree && this.#unfinished === 0) await this.#queue.currentEnded()
    this.end()
    await this.settled()
    if (this.#unfinished > 0) {
      throw new BusyError(
        'E_SURFACE_BUSY',
        'the function of this transaction returned before the nested one had ended; await the nested one',
      )
    }
    this.assertOpen()
  }

  /** @throws DatabaseError E_TRANSACTION_ENDED when one of its statements has ended it. */
  assertOpen(): void {
    if (!this.isOpen) throw this.#endedError()
  }

  /** Resolves when the pending statement, if any, has settled. */
  async settled(): Promise<void> {
    await this.#current?.settled().catch(() => undefined)
  }

  get #isFree(): boolean {
    return this.#queue.isFree && this.#current?.state !== 'pending'
  }

  #runInTurn(query: Query): Promise<Result> {
    this.#assertNotEnded()
    this.#assertOutsideNested()
    return this.#queue.run(async () => {
      await this.#pendingSettled()
      return this.dispatch(query).settled()
    })
  }

  // One that was dispatched, and one that was dispatched while we waited for it.
  async #pendingSettled(): Promise<void> {
    while (this.#current?.state === 'pending') await this.settled()
  }

  // The first error is the one to report; a broken connection has rolled back anyway.
  async #rollBackTo(name: string): Promise<void> {
    try {
      await this.#command(`ROLLBACK TO SAVEPOINT ${name}`)
      await this.#command(`RELEASE SAVEPOINT ${name}`)
    } catch {}
  }

  // After the end the connection may be in use elsewhere, with savepoints of the same names.
  async #command(sql: string): Promise<Result> {
    this.#assertNotEnded()
    this.assertOpen()
    return this.#connection.send({ sql, parameters: [] }).settled()
  }

  // Only the first word, since the rest may contain a value.
  #endedError(): DatabaseError {
    const [verb = 'a statement'] = /[a-z]+/i.exec(withoutComments(this.#state.latest)) ?? []
    const word = verb.toUpperCase()
    const fate = this.#connection.keeps(word) ? 'kept' : 'undone'
    return new DatabaseError(
      'E_TRANSACTION_ENDED',
      `${word} ended this transaction: what was done until then is ${fate}, and nothing was run after it; ` +
        'leave BEGIN, COMMIT and ROLLBACK to transaction(), and schema changes to migrations',
    )
  }

  #assertNotEnded(): void {
    if (this.#outer !== null) this.#outer.#assertNotEnded()
    if (!this.#ended) return
    throw new DatabaseError(
      'E_DATABASE_CLOSED',
      'this transaction has ended; run its statements before its function returns',
    )
  }

  #assertFree(): void {
    this.#assertNotEnded()
    if (this.#nested) throw nestedError()
    if (this.#current?.state !== 'pending') return
    throw new BusyError(
      'E_SURFACE_BUSY',
      'this transaction has a pending statement; wait for it before sending the next, or use run()',
    )
  }

  // The nested one would wait for this statement, and this statement for the nested one.
  #assertOutsideNested(): void {
    if (!this.#nested) return
    let inner = innermost.getStore() ?? null
    while (inner !== null && inner !== this) inner = inner.#outer
    if (inner === this && innermost.getStore() !== this) throw nestedError()
  }
}

function nestedError(): BusyError {
  return new BusyError(
    'E_SURFACE_BUSY',
    'this transaction is waiting for a nested one; use the nested one until it has ended',
  )
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/\/\*[^]*?\*\/|--[^\n]*/g, '')
}

/** Runs work one after the other, in the order of the calls. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve()
  #current: Promise<void> = Promise.resolve()
  #waiting = 0

  /** Whether nothing runs and nothing waits. */
  get isFree(): boolean {
    return this.#waiting === 0
  }

  /** Runs `work` when its turn comes, immediately if that is now. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const before = this.isFree ? null : this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    this.#waiting += 1
    try {
      if (before !== null) await before
      this.#current = promise
      return await work()
    } finally {
      this.#waiting -= 1
      resolve()
    }
  }

  /** Resolves when the work whose turn it is has ended. */
  currentEnded(): Promise<void> {
    return this.#current
  }
}
