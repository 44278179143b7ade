import { toError } from '../../base/to-error.ts'
import { sqlite } from '../sql/dialects/sqlite.ts'
import type { Query } from '../sql/plan/query.ts'
import { doneOperation, failedOperation, pendingOperation } from '../operation.ts'
import type { Operation } from '../operation.ts'
import { withQueryLog } from '../query-log.ts'
import type { QueryLog } from '../query-log.ts'
import { SerialTransaction } from '../serial-transaction.ts'
import type { Transaction } from '../surface.ts'
import { retryWhileBusy } from './busy-wait.ts'
import type { Deadline } from './busy-wait.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** Options of `inTransaction`. */
export interface BeginOptions {
  readonly begin: 'BEGIN' | 'BEGIN IMMEDIATE'
  /** How long BEGIN may wait for the lock of another process. */
  readonly deadline: Deadline
  readonly log: QueryLog | null
}

/** Runs `work` between BEGIN and COMMIT; any failure, including that of the COMMIT, rolls back. */
export async function inTransaction<T>(
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
