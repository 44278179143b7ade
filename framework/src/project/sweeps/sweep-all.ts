import { Throwables } from '../../errors/throwables/throwables.ts'
import { toError } from '../../base/to-error.ts'
import { InvalidArgumentException } from '../../base/errors.ts'
import { Scopes } from '../../activity/scopes.ts'
import type { Sweepable, Sweeps } from '../sweepable.ts'

/** The result of a sweep. */
export interface Swept {
  readonly name: string
  /** How many were deleted; null if it failed. */
  readonly dropped: number | null
  readonly error: Error | null
}

/**
 * Runs the sweeps one after the other; if one fails, it is reported and the others still run. A sweep
 * also fails if it reports an error itself: some stores report it and return 0 instead of throwing.
 */
export async function sweepAll(
  sweeps: Sweeps,
  throwables: Throwables = Throwables,
): Promise<readonly Swept[]> {
  const results: Swept[] = []
  for (const [name, entry] of Object.entries(sweeps)) {
    results.push(await sweepOne(name, entry, throwables))
  }
  return results
}

async function sweepOne(name: string, entry: Sweepable, throwables: Throwables): Promise<Swept> {
  const reported: Error[] = []
  const { activity } = Scopes.current()
  // A server may be sweeping: what its requests report is not about the store.
  const stopListening = throwables.add((throwable) => {
    if (Scopes.current().activity === activity) reported.push(throwable)
  })
  try {
    const dropped = checkCount(name, await entry.sweep())
    const [error = null] = reported
    return { name, dropped: error === null ? dropped : null, error }
  } catch (thrown) {
    throwables.notify(thrown, { sweep: name })
    return { name, dropped: null, error: toError(thrown) }
  } finally {
    stopListening()
  }
}

function checkCount(name: string, count: unknown): number {
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `sweep() of "${name}" must return how many it deleted, got ${String(count)}`,
  )
}
