import { availableParallelism } from 'node:os'

/** Default size of libuv's thread pool. */
const defaultThreads = 4
const maxThreads = 1024

/**
 * How many hashes may be computed concurrently. They share the thread pool with file access and DNS
 * lookups, so one of its threads stays free. More than there are cores would finish no sooner.
 *
 * Measured with forty hashes on two cores and four threads: two and three at a time reach the same
 * rate; reading a file then took 0.08 s at worst, with four at a time 0.5 s, without a limit 2.4 s.
 */
export function hashingSlots(
  threads: string | undefined = process.env['UV_THREADPOOL_SIZE'],
  cores: number = availableParallelism(),
): number {
  return Math.max(1, Math.min(poolSize(threads) - 1, cores))
}

// Parsed like libuv does: leading digits only, and 0 means one thread.
function poolSize(threads: string | undefined): number {
  if (threads === undefined) return defaultThreads
  const given = Number.parseInt(threads, 10)
  return Number.isNaN(given) ? 1 : Math.min(maxThreads, Math.max(1, given))
}
