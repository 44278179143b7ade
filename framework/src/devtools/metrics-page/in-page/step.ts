import { seriesOf } from './sample.ts'
import type { Sample, Series } from './sample.ts'

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

/**
 * The increase of a counter between two samples, summed by the value of `label`, or under '' if `label`
 * is ''. A value that fell was reset to zero. Empty without such a counter.
 */
export function increases(
  before: Sample,
  after: Sample,
  name: string,
  label: string,
): Map<string, number> {
  const known = seriesByKey(before, name)
  const grown = new Map<string, number>()
  for (const { key, labels, value } of seriesOf(after, name)) {
    const old = known.get(key)
    // A worker seen for the first time may have been counting for an unknown time.
    if (old === undefined && labels.has('pid')) continue
    const past = old === undefined || value < old.value ? 0 : old.value
    const group = labels.get(label) ?? ''
    grown.set(group, (grown.get(group) ?? 0) + value - past)
  }
  return grown
}

/**
 * The increase of a histogram between two samples: cumulative counts by upper bound, summed over its
 * series. A series that fell in any bucket was reset to zero.
 */
export function bucketIncreases(before: Sample, after: Sample, name: string): Map<string, number> {
  const known = seriesByKey(before, name)
  const grown = new Map<string, number>()
  for (const { key, buckets } of seriesOf(after, name)) {
    if (buckets === null) continue
    const old = known.get(key)?.buckets ?? new Map<string, number>()
    const restarted = [...buckets].some(([bound, count]) => count < (old.get(bound) ?? 0))
    for (const [bound, count] of buckets) {
      const past = restarted ? 0 : (old.get(bound) ?? 0)
      grown.set(bound, (grown.get(bound) ?? 0) + count - past)
    }
  }
  return grown
}

/** The name of the durations by route. */
export const routeDurations = 'http_server_request_duration_seconds'

/** The requests of a route that ended between two samples. */
export interface RouteGrowth {
  /** Those with a status of 500 and above. */
  readonly failed: number
  /** Cumulative counts by upper bound. */
  readonly buckets: ReadonlyMap<string, number>
}

/** Method and route as the table shows them. */
export function routeName({ labels }: Series): string {
  if (labels.get('overflow') === 'true') return 'All other routes'
  const method = labels.get('http_request_method') ?? ''
  return method + ' ' + (labels.get('http_route') ?? 'without a route')
}

/** What grew from one sample to a later one, by the name of the route. A series that fell was reset. */
function routeGrowths(before: Sample, after: Sample): Map<string, RouteGrowth> {
  const known = seriesByKey(before, routeDurations)
  const growths = new Map<string, RouteGrowth>()
  for (const series of seriesOf(after, routeDurations)) {
    const grown = growthOf(known.get(series.key), series)
    const name = routeName(series)
    growths.set(name, addGrowths(growths.get(name), grown, 1))
  }
  return growths
}

/** The growth of one series. */
function growthOf(before: Series | undefined, after: Series): RouteGrowth {
  const past = before === undefined || before.value > after.value ? null : before.buckets
  const buckets = new Map<string, number>()
  for (const [bound, count] of after.buckets ?? []) {
    buckets.set(bound, Math.max(0, count - (past?.get(bound) ?? 0)))
  }
  const status = Number(after.labels.get('http_response_status_code') ?? 0)
  return { failed: status >= 500 ? (buckets.get('+Inf') ?? 0) : 0, buckets }
}

/** The first growth, and the second one as often as `weight` says. */
export function addGrowths(
  total: RouteGrowth | undefined,
  more: RouteGrowth,
  weight: number,
): RouteGrowth {
  const buckets = new Map(total?.buckets)
  for (const [bound, count] of more.buckets) {
    buckets.set(bound, (buckets.get(bound) ?? 0) + count * weight)
  }
  return { failed: (total?.failed ?? 0) + more.failed * weight, buckets }
}

/** The series of a metric by their labels. */
function seriesByKey(sample: Sample, name: string): Map<string, Series> {
  return new Map(seriesOf(sample, name).map((series) => [series.key, series]))
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
