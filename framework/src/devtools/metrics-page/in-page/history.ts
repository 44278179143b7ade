import { mergeSteps, record, unpackStep } from './past.ts'
import type { Past, PastStep } from './past.ts'
import { quantile, ratesOf, valuesBelow } from './rates.ts'
import type { Sample } from './sample.ts'

/** The data kept by the page. */
export interface History {
  /** What the server has kept, and what the page has seen since. */
  readonly past: Past
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

/** Seconds of which nobody knows anything before a line is interrupted. */
const maxSilence = 15
/** A shorter step has not seen all workers of a fleet, which tell their numbers every ten seconds. */
const minSeconds = 6

/** The history before the first sample. */
export const emptyHistory: History = {
  past: { steps: [], sample: null },
  points: [],
  tones: new Map(),
}

/** The history with one more sample, and the points of its last `span` seconds. */
export function remember(history: History, sample: Sample, span: number): History {
  const past = record(history.past, sample)
  const steps = stepsOver(past, span).filter(({ seconds }, at) => at === 0 || seconds > minSeconds)
  const points: Point[] = []
  for (const step of steps) {
    const start = step.at - step.seconds
    const isInterrupted = start - (points.at(-1)?.at ?? start) > maxSilence
    if (isInterrupted) points.push({ at: start, values: new Map() })
    points.push(pointOfStep(step))
  }
  if (points.length === 0) points.push(pointOf(sample, new Map()))
  return { past, points, tones: workerTones(history.tones, points) }
}

/** The increase per second of every counter over the last `span` seconds. */
export function ratesOver(past: Past, span: number): Map<string, number> {
  const [all] = mergeSteps(stepsOver(past, span))
  return all === undefined ? new Map() : ratesOf(unpackStep(all))
}

function stepsOver({ steps, sample }: Past, span: number): readonly PastStep[] {
  const now = sample?.at ?? steps.at(-1)?.at ?? 0
  return steps.filter(({ at }) => at > now - span)
}

/** The point of a step of the past. */
export function pointOfStep(step: PastStep): Point {
  const gauges = new Map(Object.entries(step.gauges))
  const { latency = {} } = step.counts
  return pointOf({ at: step.at, gauges }, ratesOf(unpackStep({ ...step, counts: { latency } })))
}

/** The point for a sample and the rates of its time. */
export function pointOf(
  sample: Pick<Sample, 'at' | 'gauges'>,
  rates: ReadonlyMap<string, number>,
): Point {
  const own = [...rates].filter(([key]) => !/^(?:route|latency) /.test(key))
  const values = new Map([...own, ...sample.gauges])
  for (const key of ['cpu', 'memory', 'responses']) {
    const parts = [...valuesBelow(values, key + ' ').values()]
    if (parts.length > 0) values.set(key, sumOf(parts))
  }
  const responses = values.get('responses') ?? 0
  if (responses > 0) values.set('failed', (values.get('responses 5xx') ?? 0) / responses)
  const exceptions = values.get('exceptions')
  if (exceptions !== undefined) values.set('exceptions', exceptions * 60)
  const durations = valuesBelow(rates, 'latency ')
  for (const percent of [50, 90, 99]) {
    const seconds = quantile(durations, percent / 100)
    if (seconds !== null) values.set('p' + percent, seconds)
  }
  return { at: sample.at, values }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** A worker keeps its tone while it is visible; a new one gets a free tone. */
export function workerTones(
  tones: ReadonlyMap<string, number>,
  points: readonly Point[],
): Map<string, number> {
  const seen = workersIn(points, 'memory ')
  const kept = new Map([...tones].filter(([worker]) => seen.includes(worker)))
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

/** The sorted ids of workers, numerically where they are numbers. */
export function workersIn(points: readonly Point[], prefix: string): string[] {
  const workers = new Set(points.flatMap(({ values }) => [...valuesBelow(values, prefix).keys()]))
  return [...workers].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
}
