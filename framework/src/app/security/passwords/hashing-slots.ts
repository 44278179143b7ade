import { availableParallelism } from 'node:os'

/** The pool of libuv has so many threads unless the environment says otherwise. */
const usualThreads = 4
const maxThreads = 1024

/**
 * How many hashes may be computed at once. They run in the pool that reads files and looks up names,
 * so one thread of it stays free. More than there are cores would finish no sooner.
 *
 * Measured with forty hashes on two cores and four threads: two and three at once reach the same
 * rate; reading a file then took 0.08 s at worst, with four at once 0.5 s, without any bound 2.4 s.
 */
export function hashingSlots(
  threads: string | undefined = process.env['UV_THREADPOOL_SIZE'],
  cores: number = availableParallelism(),
): number {
  return Math.max(1, Math.min(poolSize(threads) - 1, cores))
}

// As libuv reads it: the digits in front, no thread is one thread.
function poolSize(threads: string | undefined): number {
  if (threads === undefined) return usualThreads
  const given = Number.parseInt(threads, 10)
  return Number.isNaN(given) ? 1 : Math.min(maxThreads, Math.max(1, given))
}
