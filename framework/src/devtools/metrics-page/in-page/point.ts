import { quantile } from './quantile.ts'
import { seriesOf } from './sample.ts'
import type { Sample } from './sample.ts'
import { durationsOf, ratesOf } from './step.ts'
import type { Step } from './step.ts'

/** The values of all charts at one time; unknown ones are left out. */
export interface Point {
  readonly at: number
  readonly values: ReadonlyMap<string, number>
}

/** The point for a sample: rates and percentiles come from the weighted steps before it. */
export function pointOf(sample: Sample, steps: readonly Step[], weights: readonly number[]): Point {
  const values = ratesOf(steps, weights)
  addTotal(values, 'cpu', 'cpu ')
  addFailedShare(values)
  const exceptions = values.get('exceptions')
  if (exceptions !== undefined) values.set('exceptions', exceptions * 60)
  addPercentiles(values, durationsOf(steps, weights))
  addGauges(values, sample)
  return { at: sample.at, values }
}

/** Sums the values whose keys begin with `prefix` under `key`, if there are any. */
export function addTotal(values: Map<string, number>, key: string, prefix: string): void {
  const parts = [...values].filter(([name]) => name.startsWith(prefix))
  if (parts.length === 0) return
  values.set(
    key,
    parts.reduce((total, [, value]) => total + value, 0),
  )
}

/** The share of 5xx responses. */
export function addFailedShare(values: Map<string, number>): void {
  addTotal(values, 'responses', 'responses ')
  const all = values.get('responses') ?? 0
  if (all > 0) values.set('failed', (values.get('responses 5xx') ?? 0) / all)
}

/** Percentiles of the durations; none if no request has ended. */
export function addPercentiles(
  values: Map<string, number>,
  durations: ReadonlyMap<string, number>,
): void {
  for (const percent of [50, 90, 99]) {
    const seconds = quantile(durations, percent / 100)
    if (seconds !== null) values.set('p' + percent, seconds)
  }
}

/** The values that need only this sample. */
export function addGauges(values: Map<string, number>, sample: Sample): void {
  const inFlight = seriesOf(sample, 'http_requests_in_flight')
  if (inFlight.length > 0) {
    values.set(
      'in-flight',
      inFlight.reduce((total, { value }) => total + value, 0),
    )
  }
  for (const { labels, value } of seriesOf(sample, 'process_memory_bytes')) {
    const key = 'memory ' + (labels.get('pid') ?? '')
    values.set(key, (values.get(key) ?? 0) + value)
  }
  addTotal(values, 'memory', 'memory ')
  const lags = [
    ['lag mean', 'runtime_event_loop_lag_seconds'],
    ['lag p99', 'runtime_event_loop_lag_p99_seconds'],
    ['lag max', 'runtime_event_loop_lag_max_seconds'],
  ] as const
  for (const [key, name] of lags) {
    const late = seriesOf(sample, name).map(({ value }) => value)
    // The worst worker: an average would hide one that hangs.
    if (late.length > 0) values.set(key, Math.max(...late))
  }
}
