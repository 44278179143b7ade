import type { BoundTask } from './bound-task.ts'

/** A due time of a task that nobody has run yet. */
export interface PendingTime {
  readonly dueMs: number
  /** Whether it is still to be run; otherwise it is only reported as missed. */
  readonly runs: boolean
  /** Due times that nobody will run: with this one, unless it runs. */
  readonly missed: number
}

/** A task of every second may have missed a year of due times, and each takes time to find. */
const maxCounted = 100

/** The first thing to do about the due times after the last known one; null for nothing. */
export function pendingTime(
  { times, graceMs, catchUp }: Pick<BoundTask, 'times' | 'graceMs' | 'catchUp'>,
  knownMs: number,
  nowMs: number,
): PendingTime | null {
  const first = times.next(knownMs)
  if (first === null || first > nowMs) return null
  const startMs = nowMs - graceMs
  if (first >= startMs) return { dueMs: first, runs: true, missed: 0 }
  let missed = 1
  let dueMs = first
  for (let next = times.next(first); next !== null && next < startMs; next = times.next(next)) {
    if (missed === maxCounted) {
      dueMs = times.latest(startMs - 1) ?? dueMs
      break
    }
    missed += 1
    dueMs = next
  }
  // If another one is due already, that one makes up for those that were missed.
  const isLast = (times.next(dueMs) ?? Number.POSITIVE_INFINITY) > nowMs
  const runs = catchUp === 'once' && isLast
  return { dueMs, runs, missed: runs ? missed - 1 : missed }
}
