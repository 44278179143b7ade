import { bucketIncreases, increases } from './increase.ts'
import { routeGrowths } from './route-growth.ts'
import type { RouteGrowth } from './route-growth.ts'
import type { Sample } from './sample.ts'

/** The changes between two samples. */
export interface Step {
  readonly seconds: number
  /** Increases by key; unmeasured ones are left out. */
  readonly grown: ReadonlyMap<string, number>
  /** Durations of the requests that ended, cumulative by upper bound. */
  readonly durations: ReadonlyMap<string, number>
  /** What grew of each route. */
  readonly routes: ReadonlyMap<string, RouteGrowth>
}

/** The changes from one sample to a later one. */
export function stepOf(before: Sample, after: Sample): Step {
  const counters = [
    { key: 'requests', name: 'http_requests_total', label: '' },
    { key: 'responses', name: 'http_responses_total', label: 'class' },
    { key: 'exceptions', name: 'exceptions_total', label: '' },
    { key: 'read', name: 'http_bytes_read_total', label: '' },
    { key: 'written', name: 'http_bytes_written_total', label: '' },
    { key: 'cpu', name: 'process_cpu_seconds_total', label: 'pid' },
  ]
  const grown = new Map<string, number>()
  for (const { key, name, label } of counters) {
    for (const [group, count] of increases(before, after, name, label)) {
      grown.set(label === '' ? key : key + ' ' + group, count)
    }
  }
  const durations = bucketIncreases(before, after, 'http_request_duration_seconds')
  const routes = routeGrowths(before, after)
  return { seconds: after.at - before.at, grown, durations, routes }
}

/** The last steps that together cover at least `seconds`, or all of them. */
export function lastSteps(steps: readonly Step[], seconds: number): readonly Step[] {
  let lasted = 0
  for (let at = steps.length - 1; at > 0; at -= 1) {
    lasted += steps[at]?.seconds ?? 0
    // A millisecond of tolerance for rounding errors.
    if (lasted >= seconds - 0.001) return steps.slice(at)
  }
  return steps
}

/**
 * The weight of each step. For a single worker all weights are equal. In a fleet the counts of each
 * worker arrive every `average` seconds; triangular weights over twice that time include them evenly,
 * while a plain average would include one or two updates, depending on timing.
 */
export function weightsOf(steps: readonly Step[], average: number, fleet: boolean): number[] {
  let age = 0
  return steps
    .toReversed()
    .map(({ seconds }) => {
      const middle = age + seconds / 2
      age += seconds
      // Never zero: a single long step may be all there is.
      return fleet && average > 0 ? Math.max(0.001, 1 - Math.abs(middle / average - 1)) : 1
    })
    .reverse()
}

/** Increase per second over weighted steps, for every key of the last one. */
export function ratesOf(steps: readonly Step[], weights: readonly number[]): Map<string, number> {
  const rates = new Map<string, number>()
  for (const key of steps.at(-1)?.grown.keys() ?? []) {
    let growth = 0
    let time = 0
    for (const [at, { seconds, grown }] of steps.entries()) {
      const more = grown.get(key)
      // Values of a worker count only from its own first step.
      if (more === undefined) continue
      growth += more * (weights[at] ?? 0)
      time += seconds * (weights[at] ?? 0)
    }
    if (time > 0) rates.set(key, growth / time)
  }
  return rates
}

/** The durations of weighted steps as one histogram. */
export function durationsOf(
  steps: readonly Step[],
  weights: readonly number[],
): Map<string, number> {
  const total = new Map<string, number>()
  for (const [at, { durations }] of steps.entries()) {
    for (const [bound, count] of durations) {
      total.set(bound, (total.get(bound) ?? 0) + count * (weights[at] ?? 0))
    }
  }
  return total
}
