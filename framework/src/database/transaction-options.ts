import { setTimeout as sleep } from 'node:timers/promises'
import { invalidArgument } from '../base/errors.ts'
import type { Surface, Transaction, TransactionOptions } from './surface.ts'
import { caseChecker } from './sql/write/case-checker.ts'
import { DatabaseError } from './database-error.ts'

const checkedIsolation = caseChecker('isolation', {
  ReadCommitted: 'read-committed',
  RepeatableRead: 'repeatable-read',
  Serializable: 'serializable',
})

/**
 * The isolation level of a transaction in SQL; null for the default of the database.
 * @throws InvalidArgumentException for an unknown level.
 */
export function isolationLevel({ isolation }: TransactionOptions): string | null {
  return isolation === undefined
    ? null
    : checkedIsolation(isolation).replace('-', ' ').toUpperCase()
}

/**
 * Refuses options that a nested transaction cannot have: it is a part of the outer one.
 * @throws InvalidArgumentException that names the option.
 */
export function refuseNestedOptions(options: TransactionOptions): void {
  const { isolation, readOnly = false, foreignKeys = true } = options
  const given = { isolation: isolation !== undefined, readOnly, foreignKeys: !foreignKeys }
  const [name] = Object.entries(given).find(([, isGiven]) => isGiven) ?? []
  if (name === undefined) return
  throw invalidArgument(
    `a nested transaction cannot set ${name}: it is a savepoint of the outer one; pass it to the outermost transaction()`,
  )
}

/** The options for a transaction that may be nested, where those of the outer one stand. */
export function unlessNested(
  { transactional }: Pick<Surface, 'transactional'>,
  options: TransactionOptions,
): TransactionOptions {
  if (!transactional) return options
  return options.retry === undefined ? {} : { retry: options.retry }
}

/** How often work that lost against other work is repeated. */
export const deadlockRetries = 4

/**
 * A transaction whose statements see what others commit meanwhile, so that work which waits for a row then
 * reads what the one before has made of it. It is repeated after a deadlock, and may be nested.
 */
export function committedTransaction<T>(
  surface: Surface,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const options = { isolation: 'read-committed', retry: deadlockRetries } as const
  return surface.transaction(work, unlessNested(surface, options))
}

const maxRetry = 100
const minMs = 10
const maxMs = 1_000

/**
 * Retries some work after a deadlock, up to five attempts with random, growing pauses. Inside a
 * transaction it is not retried: the earlier statements of the transaction are lost as well. For work that
 * is one transaction, use its option `retry`.
 */
export function retryOnDeadlock<T>(surface: Surface, work: () => Promise<T>): Promise<T> {
  return repeatOnDeadlock(surface.transactional ? 0 : deadlockRetries, work)
}

/**
 * Runs a transaction, and again from its start as often as its options allow if it lost against
 * another one.
 */
export function repeatTransaction<T>(
  { retry }: TransactionOptions,
  attempt: () => Promise<T>,
): Promise<T> {
  return retry === undefined ? attempt() : repeatOnDeadlock(checkedRetry(retry), attempt)
}

/** Repeats work that ended in a deadlock up to `times`, after random and growing pauses. */
async function repeatOnDeadlock<T>(times: number, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isLost = error instanceof DatabaseError && error.code === 'E_DEADLOCK'
      if (!isLost || attempt > times) throw error
      await sleep(Math.random() * Math.min(minMs * 2 ** attempt, maxMs))
    }
  }
}

/**
 * How often a transaction is repeated.
 * @throws InvalidArgumentException
 */
export function checkedRetry(retry: unknown): number {
  if (typeof retry === 'number' && Number.isInteger(retry) && retry >= 0 && retry <= maxRetry) {
    return retry
  }
  const got = typeof retry === 'number' ? String(retry) : `a ${typeof retry}`
  throw invalidArgument(
    `retry is how often a transaction is repeated after a deadlock, a whole number from 0 to ${maxRetry}, got ${got}`,
  )
}
