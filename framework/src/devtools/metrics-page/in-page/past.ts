import { limits } from './charts.ts'
import { bucketsOf, stepOf } from './rates.ts'
import type { Step } from './rates.ts'
import { isRecord } from './sample.ts'
import type { Sample } from './sample.ts'

type Sums = Record<string, number>
type Numbers = Readonly<Sums>

/** What happened from one sample to the next, as it is kept for an hour, written to a file and sent. */
export interface PastStep {
  /** When it ended, in epoch seconds. */
  readonly at: number
  readonly seconds: number
  /** What each counter grew by. */
  readonly grown: Numbers
  /** At its end; of lags the worst. */
  readonly gauges: Numbers
  /** Of `latency` and each `route GET /` that was used: the requests up to each bound. */
  readonly counts: Readonly<Record<string, Numbers>>
}

/** The last hour, which goes on with every sample. */
export interface Past {
  readonly steps: readonly PastStep[]
  /** The last one; null before the first. */
  readonly sample: Sample | null
}

/** How long steps are kept, and how long until they are merged to one a minute; in seconds. */
const hour = 3_600
const fine = 300
const otherRoutes = 'route All other routes'
/** Of the document; another release may keep something else. */
const version = 1

/**
 * The past with one more sample: of the last minutes a step is kept for each ten seconds. Of its routes `maxRoutes`
 * are kept apart: those that failed or were slow, then the busiest.
 */
export function record(
  { steps, sample: before }: Past,
  sample: Sample,
  maxRoutes: number = Infinity,
): Past {
  const seconds = before === null ? 0 : sample.at - before.at
  const isNext = before !== null && seconds > 0 && seconds < hour
  const all = isNext ? [...steps, pastStep(sample, stepOf(before, sample), maxRoutes)] : steps
  // After a clock was set back, steps of the future are dropped.
  const known = all.filter(({ at }) => at > sample.at - hour && at <= sample.at)
  const merged = mergeBy(known, ({ at }) =>
    at > sample.at - fine ? Math.ceil(at / 10) : -Math.ceil(at / 60),
  )
  return { steps: merged, sample }
}

/** The steps merged to one a minute. */
export function minutesOf(steps: readonly PastStep[]): PastStep[] {
  return mergeBy(steps, ({ at }) => Math.ceil(at / 60))
}

function mergeBy(steps: readonly PastStep[], keyOf: (step: PastStep) => number): PastStep[] {
  return [...Map.groupBy(steps, keyOf).values()].flatMap(mergeSteps)
}

/** Several steps as one; an empty array without any. */
export function mergeSteps(steps: readonly PastStep[]): PastStep[] {
  const last = steps.at(-1)
  if (last === undefined || steps.length === 1) return [...steps]
  const [grown, worst, counts]: [Sums, Sums, Record<string, Sums>] = [{}, {}, {}]
  let seconds = 0
  for (const step of steps) {
    seconds += step.seconds
    addTo(grown, step.grown)
    for (const key in step.counts) addTo((counts[key] ??= {}), step.counts[key] ?? {})
    for (const [key, value] of Object.entries(step.gauges)) {
      if (key.startsWith('lag ')) worst[key] = Math.max(value, worst[key] ?? 0)
    }
  }
  return [{ at: last.at, seconds, grown, gauges: { ...last.gauges, ...worst }, counts }]
}

/** Not by `Object.entries`, which takes twice as long: an hour has ten thousands of numbers. */
function addTo(sums: Sums, numbers: Numbers): void {
  for (const key in numbers) sums[key] = (sums[key] ?? 0) + (numbers[key] ?? 0)
}

function pastStep({ at, gauges }: Sample, { seconds, grown }: Step, maxRoutes: number): PastStep {
  const counts: Record<string, Sums> = {}
  const histograms = [...bucketsOf(grown)].filter(([, buckets]) => (buckets.get('+Inf') ?? 0) > 0)
  for (const [key, buckets] of histograms.toSorted(([, a], [, b]) => weightOf(b) - weightOf(a))) {
    const isKept = key === 'latency' || Object.keys(counts).length <= maxRoutes
    const name = isKept ? key : otherRoutes
    addTo((counts[name] ??= {}), Object.fromEntries(buckets))
  }
  const plain = [...grown].filter(
    ([key, value]) =>
      !/^(?:latency|route|blocked) /.test(key) || (key.startsWith('blocked') && value > 0),
  )
  return { at, seconds, grown: shortNumbers(plain), gauges: shortNumbers(gauges), counts }
}

/** Requests that failed or were slow count most. */
function weightOf(buckets: ReadonlyMap<string, number>): number {
  const all = buckets.get('+Inf') ?? 0
  const slow = all - (buckets.get(String(limits.p99)) ?? all)
  return all + 1e9 * (slow + (buckets.get('5xx') ?? 0))
}

function shortNumbers(values: Iterable<readonly [string, number]>): Numbers {
  return Object.fromEntries([...values].map(([key, value]) => [key, Number(value.toPrecision(6))]))
}

/** The counts of a histogram by upper bound; empty if nothing was counted. */
export function bucketsIn({ counts }: PastStep, key: string): ReadonlyMap<string, number> {
  return new Map(Object.entries(counts[key] ?? {}))
}

/** The step in the form in which the page has those of now. */
export function unpackStep(step: PastStep): Step {
  const grown = new Map(Object.entries(step.grown))
  for (const key of Object.keys(step.counts)) {
    for (const [bound, count] of bucketsIn(step, key)) grown.set(key + ' ' + bound, count)
  }
  return { seconds: step.seconds, grown }
}

/** The document that `readPast` reads. */
export function writePast({ steps }: Past): string {
  return JSON.stringify({ version, steps })
}

/** The steps in a decoded document; none if it is something else. */
export function readPast(document: unknown): readonly PastStep[] {
  const { version: written, steps } = isRecord(document) ? document : {}
  return written === version && Array.isArray(steps) ? steps : []
}
