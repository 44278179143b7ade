import { performance } from 'node:perf_hooks'
import type { Activity, Crumb } from './activity.ts'
import { CurrentWork } from './current-work.ts'
import { fetchFailure, followFetches } from './fetch-calls.ts'
import type { FetchEnd } from './fetch-calls.ts'
import { StepKinds } from './step.ts'
import type { StepWatcher } from './step.ts'

/** Of each activity. */
const maxKept = 24
let keepers = 0
let unfollow = (): void => {}

/**
 * The last steps and log lines of each activity, for the report of an error. Each is one reference while the
 * activity lasts; nothing is described before somebody asks.
 */
export const Crumbs = {
  /** Whether anybody wants them. */
  get areKept(): boolean {
    return keepers > 0
  },

  /** Keeps them; steps must be watched by `crumbSteps` as well. Returns a function that takes this back. */
  keep(): () => void {
    if (keepers++ === 0)
      unfollow = followFetches(({ method, origin }) => fetchCrumb(method, origin))
    let isKept = true
    return () => {
      if (isKept && --keepers === 0) unfollow()
      isKept = false
    }
  },

  /** Adds one. */
  leave(activity: Activity, crumb: Crumb): void {
    const crumbs = (activity.crumbs ??= [])
    crumbs.push(crumb)
    // Many at a time: removing one from the front moves all the others.
    if (crumbs.length >= 2 * maxKept) crumbs.splice(0, crumbs.length - maxKept)
  },

  /** Adds a log line of the current activity. */
  line(level: string, text: string): void {
    const { activity } = CurrentWork.context()
    if (activity === null) return
    const startMs = performance.now()
    Crumbs.leave(activity, {
      kind: 'log',
      name: level,
      text,
      startMs,
      durationMs: 0,
      failure: null,
    })
  },

  /** Those of an activity so far, in the order in which they began. */
  of(activity: Activity | null): readonly Crumb[] {
    const crumbs = activity?.crumbs?.slice(-maxKept) ?? []
    return crumbs.sort((one, other) => one.startMs - other.startMs)
  },
} as const

/** Leaves steps. For short statements alone `Steps` makes no steps: `Steps.skipsStatement` leaves them. */
export const crumbSteps: StepWatcher = {
  ended(step) {
    const { activity } = step.context
    // Calls are steps only while they are recorded.
    if (activity !== null && step.kind !== StepKinds.Fetch) Crumbs.leave(activity, step)
  },
}

function fetchCrumb(name: string, text: string): FetchEnd | null {
  const { activity } = CurrentWork.context()
  if (activity === null) return null
  const startMs = performance.now()
  return (status, error) => {
    const durationMs = performance.now() - startMs
    const failure = fetchFailure(status, error)
    Crumbs.leave(activity, { kind: StepKinds.Fetch, name, text, startMs, durationMs, failure })
  }
}
