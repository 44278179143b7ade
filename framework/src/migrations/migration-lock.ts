import { setTimeout as sleep } from 'node:timers/promises'
import { invalidArgument } from '../base/errors.ts'
import { DatabaseError } from '../database/database-error.ts'
import { SerialTransaction } from '../database/serial-transaction.ts'
import type { TransactionConnection } from '../database/serial-transaction.ts'
import type { Database, Surface, Transaction, TransactionOptions } from '../database/surface.ts'
import type { SessionLock } from '../database/sql/dialects/schema-dialect.ts'
import type { Operation, Result } from '../database/operation.ts'
import type { Query } from '../database/sql/plan/statement.ts'
import { MigrationError } from './migration-error.ts'

/** Between two attempts to get the lock. */
const pauseMs = 100

/**
 * Runs `work` on one connection, while no other process runs such work on the same database. A
 * transaction on its surface is a real one or, on a database where a write transaction around
 * everything is the lock, a savepoint in it: what it did stays when `work` fails later. A process
 * that dies leaves no lock behind.
 * @throws MigrationError when the others did not finish within `timeout` seconds, which is also how
 * long a statement waits for a locked table.
 */
export function withMigrationLock<T>(
  database: Database,
  timeout: number,
  work: (surface: Surface) => Promise<T>,
  options: Pick<TransactionOptions, 'foreignKeys'> = {},
): Promise<T> {
  const { sessionLock } = database.dialect.schema
  if (sessionLock === null) return inWriteTransaction(database, timeout, work, options)
  return database.transaction((line) => withSessionLock(line, sessionLock, timeout, work))
}

/**
 * Checks a timeout.
 * @throws InvalidArgumentException if it is out of range.
 */
export function checkedTimeout(seconds: number): number {
  if (seconds > 0 && seconds <= 86_400) return seconds
  throw invalidArgument(
    `timeout must be a number of seconds above 0, at most a day, got ${seconds}`,
  )
}

async function inWriteTransaction<T>(
  database: Database,
  timeout: number,
  work: (surface: Surface) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const deadlineMs = deadline(timeout)
  for (;;) {
    let begun = false
    const outcomes: PromiseSettledResult<T>[] = []
    try {
      await database.transaction(async (transaction) => {
        begun = true
        outcomes.push(await settled(work(transaction)))
      }, options)
    } catch (error) {
      // The first error is the one to report.
      for (const outcome of outcomes) valueOf(outcome)
      const isBusy = error instanceof DatabaseError && error.code === 'E_DATABASE_BUSY'
      if (begun || !isBusy) throw error
      await pause(deadlineMs)
    }
    const [outcome] = outcomes
    if (outcome !== undefined) return valueOf(outcome)
  }
}

async function withSessionLock<T>(
  line: Transaction,
  lock: SessionLock,
  timeout: number,
  work: (surface: Surface) => Promise<T>,
): Promise<T> {
  if (!(line instanceof SerialTransaction)) throw new TypeError('unreachable: all drivers use it')
  const pinned = new PinnedConnection(line.releaseControl())
  const deadlineMs = deadline(timeout)
  const run = async (...statements: readonly string[]): Promise<void> => {
    for (const sql of statements) await pinned.run({ sql, parameters: [] })
  }
  await run('COMMIT')
  while (!(await isTaken(pinned, lock))) await pause(deadlineMs)
  await run(...lock.limitWait(timeout))
  const outcome = await settled(work(pinned))
  const leaving = await settled(run(lock.restoreWait, lock.leave))
  const value = valueOf(outcome)
  valueOf(leaving)
  return value
}

/**
 * A reserved connection outside any transaction, whose session state, such as a lock, survives the
 * transactions on it. It is that of a transaction that was committed immediately.
 */
class PinnedConnection extends SerialTransaction {
  readonly #connection: TransactionConnection

  constructor(connection: TransactionConnection) {
    super(connection)
    this.#connection = this.releaseControl()
  }

  override async transaction<T>(work: (transaction: Transaction) => Promise<T> | T): Promise<T> {
    await this.#command('START TRANSACTION')
    const send = (query: Query): Operation => this.dispatch(query)
    const { dialect, kind, watch, keeps } = this.#connection
    const inner = new SerialTransaction({ dialect, kind, send, watch, keeps })
    try {
      const outcome = await work(inner)
      await inner.complete()
      // This statement fails in a failed transaction, while the COMMIT would not.
      if (dialect.hidesFailedCommit) await this.#command('SELECT 1')
      await this.#command('COMMIT')
      return outcome
    } catch (error) {
      inner.end()
      await inner.settled()
      // The first error is the one to report; a broken connection has rolled back anyway.
      await this.#command('ROLLBACK').catch(() => undefined)
      throw error
    }
  }

  #command(sql: string): Promise<Result> {
    return this.run({ sql, parameters: [] })
  }
}

async function settled<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [outcome] = await Promise.allSettled([work])
  return outcome
}

function valueOf<T>(outcome: PromiseSettledResult<T>): T {
  if (outcome.status === 'fulfilled') return outcome.value
  throw outcome.reason
}

async function isTaken(line: Surface, { take }: SessionLock): Promise<boolean> {
  const [row] = await line.rows({ sql: take, parameters: [] })
  return Number(row?.['taken']) === 1
}

function deadline(timeout: number): number {
  return performance.now() + timeout * 1000
}

async function pause(deadlineMs: number): Promise<void> {
  if (performance.now() < deadlineMs) return sleep(pauseMs)
  throw new MigrationError(
    'another process is migrating this database and did not finish in time; try again when it has ended',
  )
}
