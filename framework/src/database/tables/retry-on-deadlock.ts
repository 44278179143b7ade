import { repeatOnDeadlock } from '../repeat-transaction.ts'
import type { Surface } from '../surface.ts'

/** How often work that lost against other work is repeated. */
export const deadlockRetries = 4

/**
 * Retries some work after a deadlock, up to five attempts with random, growing pauses. Inside a
 * transaction it is not retried: the earlier statements of the transaction are lost as well. For work that
 * is one transaction, use its option `retry`.
 */
export function retryOnDeadlock<T>(surface: Surface, work: () => Promise<T>): Promise<T> {
  return repeatOnDeadlock(surface.transactional ? 0 : deadlockRetries, work)
}
