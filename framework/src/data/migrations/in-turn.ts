import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentException } from '../../base/errors.ts'
import { DatabaseError } from '../database/database-error.ts'
import { SerialTransaction } from '../database/serial-transaction.ts'
import type { Database, Surface, Transaction, TransactionOptions } from '../database/surface.ts'
import type { SessionLock } from '../sql/dialects/schema-dialect.ts'
import { MigrationError } from './migration-error.ts'
import { PinnedSurface } from './pinned-surface.ts'

/** Between two looks at a lock that somebody else has. */
const pauseMs = 100

/**
 * Runs `work` on one connection while no other process runs such work on the same database. A
 * transaction of the surface it gets is a real one, or, where a write transaction around everything
 * is the lock, a savepoint in it: what such transactions did stays when `work` fails later. Whoever
 * dies in between leaves no lock behind.
 * @throws MigrationError when the others did not finish within `timeout` seconds, which is also how
 *   long a statement waits for a table that others hold.
 */
export function inTurn<T>(
  database: Database,
  timeout: number,
  work: (surface: Surface) => Promise<T>,
  options: Pick<TransactionOptions, 'foreignKeys'> = {},
): Promise<T> {
  const { sessionLock } = database.dialect.schema
  if (sessionLock === null) return inWriteTransaction(database, timeout, work, options)
  return database.transaction((line) => underLock(line, sessionLock, timeout, work))
}

/**
 * A number of seconds to wait for others.
 * @throws InvalidArgumentException for one that is none.
 */
export function checkedTimeout(seconds: number): number {
  if (seconds > 0 && seconds <= 86_400) return seconds
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `timeout is a number of seconds above 0, at most a day, got ${seconds}`,
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
      // What went wrong first is what to tell.
      for (const outcome of outcomes) valueOf(outcome)
      const isBusy = error instanceof DatabaseError && error.code === 'E_DATABASE_BUSY'
      if (begun || !isBusy) throw error
      await pause(deadlineMs)
    }
    const [outcome] = outcomes
    if (outcome !== undefined) return valueOf(outcome)
  }
}

async function underLock<T>(
  line: Transaction,
  lock: SessionLock,
  timeout: number,
  work: (surface: Surface) => Promise<T>,
): Promise<T> {
  if (!(line instanceof SerialTransaction)) throw new TypeError('unreachable: drivers make these')
  const pinned = new PinnedSurface(line)
  const deadlineMs = deadline(timeout)
  const say = async (...words: readonly string[]): Promise<void> => {
    for (const sql of words) await line.run({ sql, parameters: [] })
  }
  await say('COMMIT')
  while (!(await isTaken(line, lock))) await pause(deadlineMs)
  await say(...lock.limitWait(timeout))
  const outcome = await settled(work(pinned))
  const leaving = await settled(say(lock.restoreWait, lock.leave))
  const value = valueOf(outcome)
  valueOf(leaving)
  return value
}

async function settled<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [outcome] = await Promise.allSettled([work])
  return outcome
}

function valueOf<T>(outcome: PromiseSettledResult<T>): T {
  if (outcome.status === 'fulfilled') return outcome.value
  throw outcome.reason
}

async function isTaken(line: Transaction, { take }: SessionLock): Promise<boolean> {
  const [row] = await line.rows({ sql: take, parameters: [] })
  return Number(row?.['taken']) === 1
}

function deadline(timeout: number): number {
  return performance.now() + timeout * 1000
}

async function pause(deadlineMs: number): Promise<void> {
  if (performance.now() < deadlineMs) return sleep(pauseMs)
  throw new MigrationError(
    'another process is migrating this database and did not finish in time; run it again when that one has ended',
  )
}
