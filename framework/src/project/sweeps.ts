import { FrameworkError, invalidArgument } from '../base/errors.ts'
import { Throwables } from '../errors/throwables/throwables.ts'
import { toError } from '../base/to-error.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { task } from '../schedule/task.ts'
import type { Task, TaskRules, TaskTimes } from '../schedule/task.ts'

/** A store of expiring rows: tokens, trusted devices, sessions, rate limits, a cache. */
export interface Sweepable {
  /** Deletes what has expired and returns how many. */
  sweep(): number | Promise<number>
}

/** The stores that `framework sweep` sweeps, by name. */
export type Sweeps = Readonly<Record<string, Sweepable>>

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
  const { activity } = CurrentWork.context()
  // A server may be sweeping: what its requests report is not about the store.
  const stopListening = throwables.add((throwable) => {
    if (CurrentWork.context().activity === activity) reported.push(throwable)
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
  throw invalidArgument(
    `sweep() of "${name}" must return how many it deleted, got ${String(count)}`,
  )
}

/** The task `sweep`, which does what `framework sweep` does. */
export function sweepTask(options: TaskTimes & TaskRules): Task<Sweeps> {
  return task('sweep', options).run<Sweeps>(async ({ services: sweeps, log }) => {
    const results = await sweepAll(sweeps)
    const dropped = results.filter((result) => (result.dropped ?? 0) > 0)
    log.info('swept', Object.fromEntries(dropped.map((result) => [result.name, result.dropped])))
    // Each error was reported by itself.
    const failed = results.filter(({ error }) => error !== null).map(({ name }) => name)
    if (failed.length > 0) throw new FrameworkError('E_TASK', `cannot sweep ${failed.join(', ')}`)
  })
}
