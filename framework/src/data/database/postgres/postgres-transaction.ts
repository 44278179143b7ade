import { postgres } from '../../sql/dialects/postgres.ts'
import { DatabaseError } from '../database-error.ts'
import { isolationLevel } from '../isolation-level.ts'
import { pendingOperation } from '../operation.ts'
import { recorded } from '../query-log.ts'
import type { QueryLog } from '../query-log.ts'
import { SerialTransaction } from '../serial-transaction.ts'
import type { Transaction, TransactionOptions } from '../surface.ts'
import { bindStatement } from './postgres-bindings.ts'
import type { PostgresConnection } from './postgres-connection.ts'

/**
 * Runs `work` in a transaction on a connection that nobody else uses. It resolves only when the
 * server says that it committed; otherwise the connection is rolled back, or broken if it cannot be.
 */
export async function inTransaction<T>(
  connection: PostgresConnection,
  work: (transaction: Transaction) => Promise<T> | T,
  options: TransactionOptions,
  log: QueryLog | null,
): Promise<T> {
  const begin = beginning(options)
  const command = (sql: string): Promise<string> => logged(connection, sql, log)
  const send = recorded(
    (query) => pendingOperation(query, connection.send(bindStatement(query), false)),
    log,
  )
  const transaction = new SerialTransaction({
    dialect: postgres,
    kind: 'async',
    send,
    watch: () => {
      const { endings } = connection
      return () => !connection.isIdle && connection.endings === endings
    },
  })
  try {
    await command(begin)
    const outcome = await work(transaction)
    await transaction.complete()
    await commit(command)
    return outcome
  } catch (error) {
    transaction.end()
    await undo(connection, command)
    throw error
  }
}

function beginning(options: TransactionOptions): string {
  const level = isolationLevel(options)
  const isolation = level === null ? '' : ` ISOLATION LEVEL ${level}`
  return `BEGIN${isolation}${options.readOnly === true ? ' READ ONLY' : ''}`
}

async function commit(command: (sql: string) => Promise<string>): Promise<void> {
  const done = await command('COMMIT').catch((error: unknown) => {
    throw isLoss(error) ? doubtfulError() : error
  })
  // A transaction with a failed statement is rolled back by COMMIT, which counts as a success.
  if (done === 'COMMIT') return
  throw new DatabaseError(
    'E_DATABASE',
    'the transaction was rolled back because one of its statements had failed; let the error of a statement end ' +
      'its transaction, or put the statement into a transaction inside',
    { native: '25P02' },
  )
}

async function undo(
  connection: PostgresConnection,
  command: (sql: string) => Promise<string>,
): Promise<void> {
  if (!connection.usable) return
  try {
    await command('ROLLBACK')
  } catch {}
  if (!connection.isIdle) connection.destroy('the transaction could not be rolled back')
}

async function logged(
  connection: PostgresConnection,
  sql: string,
  log: QueryLog | null,
): Promise<string> {
  let done = ''
  const send = recorded((query) => {
    const answer = connection.command(query.sql).then((command) => {
      done = command
      return { rows: [], affected: 0 }
    })
    return pendingOperation(query, answer)
  }, log)
  await send({ sql, parameters: [] }).settled()
  return done
}

function isLoss(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === 'E_CONNECTION_LOST'
}

function doubtfulError(): DatabaseError {
  return new DatabaseError(
    'E_CONNECTION_LOST',
    'the connection broke while the transaction was committed; whether it was is not known',
  )
}
