import { mariadb } from '../../sql/dialects/mariadb.ts'
import type { Query } from '../../sql/plan/query.ts'
import { DatabaseError } from '../database-error.ts'
import { isolationLevel } from '../isolation-level.ts'
import { failedOperation } from '../operation.ts'
import type { Operation } from '../operation.ts'
import { SerialTransaction } from '../serial-transaction.ts'
import type { TransactionLine } from '../serial-transaction.ts'
import type { Transaction, TransactionOptions } from '../surface.ts'

type Send = (query: Query) => Operation

/**
 * Runs the work in a transaction on a connection that nobody else uses, and commits. Whatever fails,
 * the COMMIT too, is rolled back. A statement about tables (CREATE, ALTER, DROP) commits by itself
 * in MariaDB: what was done before it is kept, nothing may follow it, and the transaction fails.
 */
export async function inTransaction<T>(
  send: Send,
  work: (transaction: Transaction) => Promise<T> | T,
  options: TransactionOptions,
  mayBeOpen: () => boolean,
): Promise<T> {
  const begin = beginStatements(options)
  const line = new GuardedLine(send, mayBeOpen)
  const transaction = new SerialTransaction(line)
  try {
    await Promise.all(begin.map((sql) => send(command(sql)).settled()))
    const outcome = await work(transaction)
    const { underWay } = line
    await transaction.complete()
    // Nobody waited for it, so nobody else would hear that it failed.
    await underWay?.settled()
    if (line.isUnsure) {
      await line.send(command('SELECT 1')).settled()
      transaction.refuseWhenNotOpen()
    }
    await line.send(command('COMMIT')).settled().catch(refuseToGuess)
    return outcome
  } catch (error) {
    transaction.end()
    // The error that led here is the one to tell.
    await send(command('ROLLBACK'))
      .settled()
      .catch(() => undefined)
    throw error
  }
}

function beginStatements(options: TransactionOptions): readonly string[] {
  const begin = options.readOnly === true ? 'START TRANSACTION READ ONLY' : 'START TRANSACTION'
  const level = isolationLevel(options)
  return level === null ? [begin] : [`SET TRANSACTION ISOLATION LEVEL ${level}`, begin]
}

// After these the server says that a transaction is open, and means another one.
const beginsAnew =
  /^(?:\s|\/\*[^]*?\*\/|--[^\n]*\n|#[^\n]*\n)*(?:(?:commit|rollback)\b[^]*\bchain\b|start\s+transaction\b|begin(?:\s+work)?\s*;?\s*$)/i

class GuardedLine implements TransactionLine {
  readonly dialect = mariadb
  readonly kind = 'async'
  readonly #send: Send
  readonly #mayBeOpen: () => boolean
  #latest: Operation | null = null
  #deadlock: DatabaseError | null = null
  #begunAnew = 0

  constructor(send: Send, mayBeOpen: () => boolean) {
    this.#send = send
    this.#mayBeOpen = mayBeOpen
  }

  readonly watch = (): (() => boolean) => {
    const begun = this.#begunAnew
    return () => this.#mayBeOpen() && this.#begunAnew === begun
  }

  /** Whether the last statement failed: the server does not say then whether it committed before. */
  get isUnsure(): boolean {
    return this.#latest?.state === 'failed'
  }

  /** The statement whose answer is not there yet. */
  get underWay(): Operation | null {
    return this.#latest?.state === 'pending' ? this.#latest : null
  }

  // After a deadlock MariaDB has undone everything, and would keep each later statement for good.
  readonly send: Send = (query) => {
    // Whoever rolls back by hand has taken note of it.
    if (query.sql === 'ROLLBACK') this.#deadlock = null
    if (this.#deadlock !== null) return failedOperation(query, this.#deadlock)
    const operation = this.#send(query)
    this.#latest = operation
    if (beginsAnew.test(query.sql)) this.#begunAnew += 1
    operation.settled().catch((error: unknown) => {
      if (error instanceof DatabaseError && error.code === 'E_DEADLOCK') this.#deadlock = error
    })
    return operation
  }
}

/** Unless the connection was gone before, in which case the COMMIT was not even sent. */
function refuseToGuess(error: unknown): never {
  if (!(error instanceof DatabaseError) || error.code !== 'E_CONNECTION_LOST') throw error
  if (error.native === 'ER_CMD_CONNECTION_CLOSED') throw error
  throw new DatabaseError(
    'E_CONNECTION_LOST',
    'the connection broke while the transaction was committed; whether it was is not known',
    { native: error.native },
  )
}

function command(sql: string): Query {
  return { sql, parameters: [] }
}
