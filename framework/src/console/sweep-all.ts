import { Throwables } from '../base/throwables/throwables.ts'
import { toError } from '../base/throwables/to-error.ts'
import { InvalidArgumentException } from '../base/errors.ts'
import type { Sweepable, Sweeps } from '../web/projects/sweepable.ts'

/** How a sweep ended. */
export interface Swept {
  readonly name: string
  /** What was dropped; null when it failed. */
  readonly dropped: number | null
  readonly error: Error | null
}

/**
 * Sweeps one after the other; one that fails is reported and the others are swept all the same. A
 * failure is also what a sweep reports itself: stores of verdicts answer 0 rather than throw.
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
  const stopListening = throwables.add((throwable) => reported.push(throwable))
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
    `sweep() of "${name}" must give the number of what it dropped, gave ${String(count)}`,
  )
}
