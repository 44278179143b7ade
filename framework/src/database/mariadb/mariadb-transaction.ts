import { mariadb } from '../sql/dialects/mariadb.ts'
import type { Query } from '../sql/plan/statement.ts'
import { DatabaseError } from '../database-error.ts'
import { isolationLevel } from '../transaction-options.ts'
import { failedOperation, pendingOperation } from '../operation.ts'
import type { Operation, Result } from '../operation.ts'
import { SerialTransaction } from '../serial-transaction.ts'
import type { TransactionConnection } from '../serial-transaction.ts'
import type { Transaction, TransactionOptions } from '../surface.ts'

type Send = (query: Query) => Operation

/**
 * Runs `work` in a transaction on a reserved connection, and commits. Any failure, including that
 * of the COMMIT, rolls back. A statement about tables (CREATE, ALTER, DROP) commits implicitly in
 * MariaDB: what was done before it is kept, nothing may follow it, and the transaction fails.
 */
export async function inTransaction<T>(
  send: Send,
  work: (transaction: Transaction) => Promise<T> | T,
  options: TransactionOptions,
  mayBeOpen: () => boolean,
): Promise<T> {
  const begin = beginStatements(options)
  const connection = new GuardedConnection(send, mayBeOpen)
  const transaction = new SerialTransaction(connection)
  try {
    await Promise.all(begin.map((sql) => send(command(sql)).settled()))
    const outcome = await work(transaction)
    const { pending } = connection
    await transaction.complete()
    // It was not awaited by anyone else, so its failure would go unnoticed.
    await pending?.settled()
    if (connection.hasFailed) {
      await connection.send(command('SELECT 1')).settled()
      transaction.assertOpen()
    }
    await connection.send(command('COMMIT')).settled().catch(reportUnknownOutcome)
    return outcome
  } catch (error) {
    transaction.end()
    await rollBack(send)
    throw error
  }
}

/**
 * Runs a change and a read that sees it as a transaction, in two round trips, of which the second is
 * the COMMIT. Any failure, including that of the COMMIT, rolls back.
 */
export async function changeAndRead(
  send: Send,
  change: Query,
  read: Query,
): Promise<readonly [Result, Result]> {
  try {
    const begin = command('START TRANSACTION')
    const [begun, changed, found] = [send(begin), send(change), send(read)] as const
    await Promise.all([begun.settled(), changed.settled(), found.settled()])
    await send(command('COMMIT')).settled().catch(reportUnknownOutcome)
    return [changed.result, found.result]
  } catch (error) {
    await rollBack(send)
    throw error
  }
}

function beginStatements(options: TransactionOptions): readonly string[] {
  const begin = options.readOnly === true ? 'START TRANSACTION READ ONLY' : 'START TRANSACTION'
  const level = isolationLevel(options)
  return level === null ? [begin] : [`SET TRANSACTION ISOLATION LEVEL ${level}`, begin]
}

// After these the server reports an open transaction, but it is another one.
const startsTransaction =
  /^(?:\s|\/\*[^]*?\*\/|--[^\n]*\n|#[^\n]*\n)*(?:(?:commit|rollback)\b[^]*\bchain\b|start\s+transaction\b|begin(?:\s+work)?\s*;?\s*$)/i

/** These may end the transaction and start another, and nothing in their text tells. */
const runsOthers =
  /^(?:\s|\/\*[^]*?\*\/|--[^\n]*\n|#[^\n]*\n)*(?:call|execute|begin\s+not\s+atomic)\b/i
const mark = 'framework_call'
const NO_SAVEPOINT = '1305'

class GuardedConnection implements TransactionConnection {
  readonly dialect = mariadb
  readonly kind = 'async'
  readonly #send: Send
  readonly #mayBeOpen: () => boolean
  #latest: Operation | null = null
  #deadlock: DatabaseError | null = null
  #restarts = 0

  constructor(send: Send, mayBeOpen: () => boolean) {
    this.#send = send
    this.#mayBeOpen = mayBeOpen
  }

  readonly watch = (): (() => boolean) => {
    const restarts = this.#restarts
    return () => this.#mayBeOpen() && this.#restarts === restarts
  }

  /**
   * Whether the last statement failed: the server then does not report an implicit commit before
   * it.
   */
  get hasFailed(): boolean {
    return this.#latest?.state === 'failed'
  }

  /** The statement whose response has not arrived yet. */
  get pending(): Operation | null {
    return this.#latest?.state === 'pending' ? this.#latest : null
  }

  // After a deadlock MariaDB has rolled back, and would commit each later statement by itself.
  readonly send: Send = (query) => {
    // An explicit rollback acknowledges the deadlock.
    if (query.sql === 'ROLLBACK') this.#deadlock = null
    if (this.#deadlock !== null) return failedOperation(query, this.#deadlock)
    const operation = runsOthers.test(query.sql)
      ? pendingOperation(query, this.#runMarked(query))
      : this.#send(query)
    this.#latest = operation
    if (startsTransaction.test(query.sql)) this.#restarts += 1
    operation.settled().catch((error: unknown) => {
      if (error instanceof DatabaseError && error.code === 'E_DEADLOCK') this.#deadlock = error
    })
    return operation
  }

  readonly keeps = (verb: string): boolean => verb !== 'ROLLBACK'

  // A savepoint does not outlive its transaction.
  async #runMarked(query: Query): Promise<Result> {
    await this.#send(command(`SAVEPOINT ${mark}`)).settled()
    try {
      return await this.#send(query).settled()
    } finally {
      const release = this.#send(command(`RELEASE SAVEPOINT ${mark}`)).settled()
      await release.catch((error: unknown) => {
        if (error instanceof DatabaseError && error.native === NO_SAVEPOINT) this.#restarts += 1
      })
    }
  }
}

// The error that led here is the one to report.
async function rollBack(send: Send): Promise<void> {
  await send(command('ROLLBACK'))
    .settled()
    .catch(() => undefined)
}

/** Except when the connection was lost before, so that the COMMIT was not even sent. */
function reportUnknownOutcome(error: unknown): never {
  if (!(error instanceof DatabaseError) || error.code !== 'E_CONNECTION_LOST') throw error
  if (error.native === 'ER_CMD_CONNECTION_CLOSED') throw error
  throw new DatabaseError(
    'E_CONNECTION_LOST',
    'the connection broke during the commit; it is unknown whether the transaction was committed',
    { native: error.native },
  )
}

function command(sql: string): Query {
  return { sql, parameters: [] }
}
