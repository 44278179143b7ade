import type { Dialect } from '../sql/dialect.ts'
import type { Query } from '../sql/query.ts'
import type { Statement } from '../sql/statement.ts'
import { DatabaseError } from './database-error.ts'
import { isolationLevel } from './isolation-level.ts'
import { objectRows } from './object-rows.ts'
import type { ObjectRow } from './object-rows.ts'
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
}

/**
 * A transaction on a connection that is already inside `BEGIN`: one statement at a time, nested ones
 * by savepoints. Whoever began it ends it, and calls `end()` so that it can be used no more.
 */
export class SerialTransaction implements Transaction {
  readonly dialect: Dialect
  readonly kind: Surface['kind']
  readonly serial = true
  readonly #line: TransactionLine
  readonly #outer: SerialTransaction | null
  readonly #depth: number
  #current: Operation | null = null
  #ended = false
  #nested = false

  constructor(line: TransactionLine, outer: SerialTransaction | null = null) {
    this.dialect = line.dialect
    this.kind = line.kind
    this.#line = line
    this.#outer = outer
    this.#depth = outer === null ? 0 : outer.#depth + 1
  }

  dispatch(query: Query): Operation {
    this.#refuseWhenTaken()
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

  /** Refuses every later statement, also of the transactions inside it. */
  end(): void {
    this.#ended = true
  }

  /**
   * Ends it after work that went well: waits for a statement under way, refuses every later one.
   * @throws BusyError when a transaction inside it is still open, half of which must not be kept.
   */
  async complete(): Promise<void> {
    this.end()
    await this.settled()
    if (!this.#nested) return
    throw new BusyError(
      'E_SURFACE_BUSY',
      'the function of this transaction returned before the one inside it had ended; await the inner one',
    )
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
    return this.#line.send({ sql, parameters: [] }).settled()
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
