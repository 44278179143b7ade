import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentException } from '../../base/errors.ts'
import { DatabaseError } from '../database/database-error.ts'
import { SerialTransaction } from '../database/serial-transaction.ts'
import type { Database, Surface, Transaction, TransactionOptions } from '../database/surface.ts'
import { Dialects } from '../sql/dialects/dialect.ts'
import { MigrationError } from './migration-error.ts'
import { PinnedSurface } from './pinned-surface.ts'

/** Between two looks at a lock that somebody else has. */
const pauseMs = 100

/** What a session says to be alone with its migrations. */
interface SessionLock {
  /** Gives `taken`. It answers at once: a statement that waits could run into its own time limit. */
  readonly take: string
  readonly leave: string
  /** Ends the wait for a table that others hold, behind which all their later statements would queue up. */
  readonly limitWait: (seconds: number) => readonly string[]
  readonly restoreWait: string
}

// Advisory locks of PostgreSQL belong to a database, those of MariaDB to the whole server.
const mariadbName = `CONCAT('framework.migrations.', SHA1(DATABASE()))`
const postgresKey = '7305802218611012117'

const locks: Readonly<Record<'postgres' | 'mariadb', SessionLock>> = {
  postgres: {
    take: `SELECT pg_try_advisory_lock(${postgresKey}) AS taken`,
    leave: `SELECT pg_advisory_unlock(${postgresKey})`,
    limitWait: (seconds) => [`SET lock_timeout = ${Math.ceil(seconds * 1000)}`],
    restoreWait: 'RESET lock_timeout',
  },
  mariadb: {
    take: `SELECT GET_LOCK(${mariadbName}, 0) AS taken`,
    leave: `SELECT RELEASE_LOCK(${mariadbName})`,
    limitWait: (seconds) => [
      'SET @framework_wait = @@SESSION.lock_wait_timeout',
      `SET SESSION lock_wait_timeout = ${Math.ceil(seconds)}`,
    ],
    restoreWait: 'SET SESSION lock_wait_timeout = @framework_wait',
  },
}

/**
 * Runs `work` on one connection while no other process runs such work on the same database. A
 * transaction of the surface it gets is a real one, or on SQLite, where everything is one write
 * transaction, a savepoint in it: what such transactions did stays when `work` fails later. Whoever
 * dies in between leaves no lock behind.
 * @throws MigrationError when the others did not finish within `patience` seconds, which is also how
 *   long a statement waits for a table that others hold.
 */
export function inTurn<T>(
  database: Database,
  patience: number,
  work: (surface: Surface) => Promise<T>,
  options: Pick<TransactionOptions, 'foreignKeys'> = {},
): Promise<T> {
  const { name } = database.dialect
  if (name === Dialects.SQLite) return inWriteTransaction(database, patience, work, options)
  return database.transaction((transaction) => underLock(transaction, locks[name], patience, work))
}

/**
 * A number of seconds to wait for others.
 * @throws InvalidArgumentException for one that is none.
 */
export function checkedPatience(seconds: number): number {
  if (seconds > 0 && seconds <= 86_400) return seconds
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `patience is a number of seconds above 0, at most a day, came ${seconds}`,
  )
}

async function inWriteTransaction<T>(
  database: Database,
  patience: number,
  work: (surface: Surface) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const deadlineMs = deadline(patience)
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
  patience: number,
  work: (surface: Surface) => Promise<T>,
): Promise<T> {
  if (!(line instanceof SerialTransaction)) throw new TypeError('unreachable: drivers make these')
  const pinned = new PinnedSurface(line)
  const deadlineMs = deadline(patience)
  const say = async (...words: readonly string[]): Promise<void> => {
    for (const sql of words) await line.run({ sql, parameters: [] })
  }
  await say('COMMIT')
  while (!(await isTaken(line, lock))) await pause(deadlineMs)
  await say(...lock.limitWait(patience))
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

function deadline(patience: number): number {
  return performance.now() + patience * 1000
}

async function pause(deadlineMs: number): Promise<void> {
  if (performance.now() < deadlineMs) return sleep(pauseMs)
  throw new MigrationError(
    'another process is migrating this database and did not finish in time; run it again when that one has ended',
  )
}
