import { postgres } from '../sql/dialects/postgres.ts'
import { DatabaseError } from '../database-error.ts'
import { isolationLevel } from '../transaction-options.ts'
import { pendingOperation } from '../operation.ts'
import { withQueryLog } from '../query-log.ts'
import type { QueryLog } from '../query-log.ts'
import { SerialTransaction } from '../serial-transaction.ts'
import type { Transaction, TransactionOptions } from '../surface.ts'
import { bindStatement } from './postgres-statement.ts'
import type { PostgresConnection } from './postgres-connection.ts'

/**
 * Runs `work` in a transaction on a reserved connection. Resolves only if the server confirms the
 * commit; otherwise it rolls back, or breaks the connection if that fails.
 */
export async function inTransaction<T>(
  connection: PostgresConnection,
  work: (transaction: Transaction) => Promise<T> | T,
  options: TransactionOptions,
  log: QueryLog | null,
): Promise<T> {
  const begin = beginStatement(options)
  const command = (sql: string): Promise<string> => loggedCommand(connection, sql, log)
  // Nothing is lost with a transaction whose first statement failed.
  const beginAgain = async (): Promise<void> => {
    await command('ROLLBACK')
    await command(begin)
  }
  let isFirst = true
  const send = withQueryLog(
    (query) => {
      const statement = bindStatement(query)
      const again = isFirst ? beginAgain : null
      isFirst = false
      return pendingOperation(query, connection.send(statement, again))
    },
    log,
    postgres.system,
  )
  const transaction = new SerialTransaction({
    dialect: postgres,
    kind: 'async',
    send,
    watch: () => {
      const { endings } = connection
      return () => connection.mayBeInTransaction && connection.endings === endings
    },
    keeps: () => connection.lastEnding === 'COMMIT',
  })
  try {
    await command(begin)
    const outcome = await work(transaction)
    await transaction.complete()
    await commit(command)
    return outcome
  } catch (error) {
    transaction.end()
    await rollBack(connection, command)
    throw error
  }
}

function beginStatement(options: TransactionOptions): string {
  const level = isolationLevel(options)
  const isolation = level === null ? '' : ` ISOLATION LEVEL ${level}`
  return `BEGIN${isolation}${options.readOnly === true ? ' READ ONLY' : ''}`
}

async function commit(command: (sql: string) => Promise<string>): Promise<void> {
  const done = await command('COMMIT').catch((error: unknown) => {
    throw unknownOutcome(error)
  })
  // COMMIT of a transaction with a failed statement rolls back, and still succeeds.
  if (done === 'COMMIT') return
  throw new DatabaseError(
    'E_DATABASE',
    'the transaction was rolled back because one of its statements had failed; let the error of a statement end ' +
      'its transaction, or run the statement in a nested transaction',
    { native: '25P02' },
  )
}

async function rollBack(
  connection: PostgresConnection,
  command: (sql: string) => Promise<string>,
): Promise<void> {
  if (!connection.usable) return
  try {
    await command('ROLLBACK')
  } catch {}
  if (connection.mayBeInTransaction) connection.destroy('the transaction could not be rolled back')
}

async function loggedCommand(
  connection: PostgresConnection,
  sql: string,
  log: QueryLog | null,
): Promise<string> {
  let done = ''
  const send = withQueryLog(
    (query) => {
      const response = connection.command(query.sql).then((command) => {
        done = command
        return { rows: [], affected: 0 }
      })
      return pendingOperation(query, response)
    },
    log,
    postgres.system,
  )
  await send({ sql, parameters: [] }).settled()
  return done
}

function unknownOutcome(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.code !== 'E_CONNECTION_LOST') return error
  return new DatabaseError(
    'E_CONNECTION_LOST',
    'the connection broke during the commit; it is unknown whether the transaction was committed',
  )
}
