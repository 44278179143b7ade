import { quantile } from './quantile.ts'
import { seriesOf } from './sample.ts'
import type { Sample } from './sample.ts'
import { durationsOf, ratesOf } from './step.ts'
import type { Step } from './step.ts'

/** The values of all charts at one time; what is not known then is not in it. */
export interface Point {
  readonly at: number
  readonly values: ReadonlyMap<string, number>
}

/** What to draw for a sample: rates and percentiles are those of the weighted steps that led to it. */
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

/** Adds what begins with `prefix` up under `key`, if there is any. */
export function addTotal(values: Map<string, number>, key: string, prefix: string): void {
  const parts = [...values].filter(([name]) => name.startsWith(prefix))
  if (parts.length === 0) return
  values.set(
    key,
    parts.reduce((total, [, value]) => total + value, 0),
  )
}

/** The share of answers that were failures of the server. */
export function addFailedShare(values: Map<string, number>): void {
  addTotal(values, 'responses', 'responses ')
  const all = values.get('responses') ?? 0
  if (all > 0) values.set('failed', (values.get('responses 5xx') ?? 0) / all)
}

/** Percentiles of the durations; none while no request ended. */
export function addPercentiles(
  values: Map<string, number>,
  durations: ReadonlyMap<string, number>,
): void {
  for (const percent of [50, 90, 99]) {
    const seconds = quantile(durations, percent / 100)
    if (seconds !== null) values.set('p' + percent, seconds)
  }
}

/** What the sample itself tells, without a look at those before it. */
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
    // The worst worker: an average over workers would hide the one that hangs.
    if (late.length > 0) values.set(key, Math.max(...late))
  }
}
