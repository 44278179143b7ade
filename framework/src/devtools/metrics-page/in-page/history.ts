import { quantile } from './quantile.ts'
import { seriesOf } from './sample.ts'
import type { Sample } from './sample.ts'
import { lastSteps, stepOf, weightsOf, durationsOf, ratesOf } from './step.ts'
import type { Step } from './step.ts'

/** The data kept by the page. */
export interface History {
  /** The latest sample; null before the first. */
  readonly sample: Sample | null
  /** The steps that the newest rates are averaged over. */
  readonly steps: readonly Step[]
  /** The weight of each of them. */
  readonly weights: readonly number[]
  /** Oldest first. */
  readonly points: readonly Point[]
  /** The tone of each worker's lines, by its id. */
  readonly tones: ReadonlyMap<string, number>
}

/** The values of all charts at one time; unknown ones are left out. */
export interface Point {
  readonly at: number
  readonly values: ReadonlyMap<string, number>
}

/** What the page keeps, in seconds. */
export interface Memory {
  /** Points older than this are dropped. */
  readonly span: number
  /** Rates and percentiles are averaged over this time, those of a fleet over twice as long. */
  readonly average: number
  /** After a longer gap, averages start over and lines are interrupted. */
  readonly silence: number
}

/** The history before the first sample. */
export function emptyHistory(): History {
  return { sample: null, steps: [], weights: [], points: [], tones: new Map() }
}

/** The history with one more sample; unchanged if the sample is not newer. */
export function remember(history: History, sample: Sample, memory: Memory): History {
  const { sample: before } = history
  const seconds = before === null ? Infinity : sample.at - before.at
  // If the clock was set back, the order of points is meaningless.
  if (seconds < -memory.silence) return remember(emptyHistory(), sample, memory)
  if (seconds <= 0) return history
  const { average, silence, span } = memory
  const fleet = seriesOf(sample, 'process_uptime_seconds').length > 1
  const steps =
    before === null || seconds > silence
      ? []
      : lastSteps([...history.steps, stepOf(before, sample)], fleet ? 2 * average : average)
  const kept = history.points.filter(({ at }) => at >= sample.at - span)
  const weights = weightsOf(steps, average, fleet)
  const points = [...kept, pointOf(sample, steps, weights)]
  return { sample, steps, weights, points, tones: workerTones(history.tones, points) }
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
function addTotal(values: Map<string, number>, key: string, prefix: string): void {
  const parts = [...values].filter(([name]) => name.startsWith(prefix))
  if (parts.length === 0) return
  values.set(
    key,
    parts.reduce((total, [, value]) => total + value, 0),
  )
}

/** The share of 5xx responses. */
function addFailedShare(values: Map<string, number>): void {
  addTotal(values, 'responses', 'responses ')
  const all = values.get('responses') ?? 0
  if (all > 0) values.set('failed', (values.get('responses 5xx') ?? 0) / all)
}

/** Percentiles of the durations; none if no request has ended. */
function addPercentiles(values: Map<string, number>, durations: ReadonlyMap<string, number>): void {
  for (const percent of [50, 90, 99]) {
    const seconds = quantile(durations, percent / 100)
    if (seconds !== null) values.set('p' + percent, seconds)
  }
}

/** The values that need only this sample. */
function addGauges(values: Map<string, number>, sample: Sample): void {
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

/** A worker keeps its tone while it is visible; a new one gets a free tone. */
export function workerTones(
  tones: ReadonlyMap<string, number>,
  points: readonly Point[],
): Map<string, number> {
  const seen = new Set<string>()
  for (const { values } of points) {
    for (const key of values.keys()) {
      const [, prefix, worker] = /^(cpu|memory) (.*)$/s.exec(key) ?? []
      if (prefix !== undefined && worker !== undefined) seen.add(worker)
    }
  }
  const kept = new Map([...tones].filter(([worker]) => seen.has(worker)))
  for (const worker of seen) {
    if (kept.has(worker)) continue
    // Red and grey last: they suggest errors and ended workers.
    const [first] = [1, 3, 4, 2, 6, 7, 8, 5]
      .map((tone) => ({ tone, uses: [...kept.values()].filter((used) => used === tone).length }))
      .sort((one, other) => one.uses - other.uses)
    kept.set(worker, first?.tone ?? 1)
  }
  return kept
}
