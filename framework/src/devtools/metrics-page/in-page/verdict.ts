import { limits } from './charts.ts'
import { formatValue, trimZeros } from './format-value.ts'
import { bucketsIn, mergeSteps, minutesOf } from './past.ts'
import type { PastStep } from './past.ts'
import { quantile, valuesBelow } from './rates.ts'

/** A line of the verdict. */
export interface VerdictLine {
  readonly text: string
  /** Whether it is wrong now, was wrong in the last hour, or all is well. */
  readonly tone: 'bad' | 'past' | 'good'
  /** A path of the site where there is more about it; empty if nowhere. */
  readonly href: string
}

/** Something wrong; `to` is null while it goes on. */
interface Fault {
  readonly text: string
  readonly from: number
  readonly to: number | null
  readonly link: string
}

/** Fewer requests, or failures, prove nothing. */
const minSlow = 5
const minFailed = 3
/** How many routes are named for one fault. */
const maxNamed = 3
/** A fault is over after so many seconds without it: the present minute may only have begun. */
const lull = 90
/** So long must a worker be silent. */
const silentSeconds = 25
/** Memory grows if it does in each quarter of one of these times, by half and by this much in all. */
const growthSeconds = [3_600, 900, 300]
const growthBytes = 100e6
/** What a worker takes as it starts is no growth. */
const startSeconds = 120

/**
 * What is wrong, then what was, in plain words; the guide has the rules. `tools` are the paths that may be
 * linked to, and `clock` writes epoch seconds.
 */
export function verdictOf(
  steps: readonly PastStep[],
  tools: readonly string[],
  clock: (at: number) => string,
): readonly VerdictLine[] {
  const minutes = minutesOf(steps)
  const failed = failures(minutes)
  const workers = valuesBelow(new Map(Object.entries(steps.at(-1)?.gauges ?? {})), 'uptime ')
  const byWorker = (fault: (worker: string) => Fault[]): Fault[] =>
    [...workers.keys()].flatMap(fault)
  const faults = [
    ...byWorker((worker) => silence(steps, worker)),
    ...byWorker((worker) => blocked(minutes, worker)),
    ...failed,
    ...slowRoutes(minutes),
    ...lag(minutes),
    ...byWorker((worker) => growthSeconds.flatMap((one) => growth(steps, worker, one)).slice(0, 1)),
    // Those of responses have been named.
    ...(failed.length > 0 ? [] : exceptions(minutes)),
  ]
  const lines = faults.map(({ text, from, to, link }): VerdictLine => {
    const href = tools.some((path) => link.startsWith(path)) ? link : ''
    const start = clock(from)
    if (to === null) return { text: `${text}, since ${start}`, tone: 'bad', href }
    const times = to - from <= 60 ? `at ${start}` : `from ${start} to ${clock(to)}`
    return { text: `${text}, ${times}`, tone: 'past', href }
  })
  const bad = lines.filter(({ tone }) => tone === 'bad')
  const past = lines.filter(({ tone }) => tone === 'past')
  const known = Math.max(1, Math.round(secondsOf(steps) / 60))
  const lately = known > 58 ? 'hour' : known === 1 ? 'minute' : `${known} minutes`
  const text = `All is well ${past.length > 0 ? 'now' : `in the last ${lately}`}`
  const isWell = bad.length === 0 && steps.length > 0
  return [...(isWell ? [{ text, tone: 'good', href: '' } as const] : bad), ...past]
}

/**
 * The fault that the last steps in a row show for which it holds; those for which nobody knows, null, do not
 * interrupt them. `text` says it for all of them as one; false if that is too little.
 */
function faultOf(
  steps: readonly PastStep[],
  holds: (step: PastStep) => boolean | null,
  text: (all: PastStep, isOver: boolean) => string | false,
  link: string = '',
): Fault[] {
  const held = steps.map(holds)
  const end = held.lastIndexOf(true) + 1
  const start = held.indexOf(true, held.slice(0, end).lastIndexOf(false) + 1)
  const [all] = mergeSteps(end === 0 ? [] : steps.slice(start, end))
  if (all === undefined) return []
  const isOver = (steps.at(-1)?.at ?? 0) - all.at > lull
  const said = text(all, isOver)
  const from = all.at - all.seconds
  return said === false ? [] : [{ text: said, from, to: isOver ? all.at : null, link }]
}

function slowRoutes(minutes: readonly PastStep[]): Fault[] {
  const p99 = (step: PastStep, key: string): number | null => quantile(bucketsIn(step, key), 0.99)
  return routesIn(minutes)
    .flatMap((key) =>
      faultOf(
        minutes,
        (minute) => isAbove(p99(minute, key), limits.p99),
        (all, isOver) =>
          (all.counts[key]?.['+Inf'] ?? 0) >= minSlow &&
          `p99 of ${nameOf(key)} ${isOver ? 'was' : 'is'} ${shown(p99(all, key), 'seconds')}`,
        `/inspect?q=${encodeURIComponent(nameOf(key))}`,
      ),
    )
    .slice(0, maxNamed)
}

/** Of all responses, and of routes that have more of them than others. */
function failures(minutes: readonly PastStep[]): Fault[] {
  const routes = routesIn(minutes)
  const faultsOf = (keys: readonly string[], limit: number, whose: string): Fault[] => {
    const count = (step: PastStep, bound: string): number =>
      keys.reduce((sum, key) => sum + (step.counts[key]?.[bound] ?? 0), 0)
    const share = (step: PastStep): number | null =>
      count(step, '+Inf') === 0 ? null : count(step, '5xx') / count(step, '+Inf')
    return faultOf(
      minutes,
      (minute) => isAbove(share(minute), limit),
      (all, isOver) =>
        count(all, '5xx') >= minFailed &&
        `${shown(share(all), 'share')} of ${whose} ${isOver ? 'were' : 'are'} errors`,
      '/errors',
    )
  }
  const own = routes.flatMap((key) =>
    faultsOf([key], 2 * limits.failed, `the responses of ${nameOf(key)}`),
  )
  return [...faultsOf(routes, limits.failed, 'all responses'), ...own.slice(0, maxNamed)]
}

/** A worker whose own clock stands still cannot even say that it is blocked. */
function silence(steps: readonly PastStep[], worker: string): Fault[] {
  const uptimes = steps.map(({ gauges }) => gauges[`uptime ${worker}`])
  const began = uptimes.indexOf(uptimes.at(-1))
  return faultOf(
    steps,
    (step) => steps.indexOf(step) > began,
    ({ seconds }) =>
      seconds >= silentSeconds && `Worker ${worker} does not report: it may be blocked`,
  )
}

function blocked(minutes: readonly PastStep[], worker: string): Fault[] {
  const seconds = ({ grown }: PastStep): number => grown[`blocked ${worker}`] ?? 0
  const text = `The event loop of worker ${worker} was blocked for`
  return faultOf(
    minutes,
    (minute) => seconds(minute) > 0,
    (all) => `${text} ${shown(seconds(all), 'seconds')}`,
    '/errors/profiles',
  )
}

/** In a single minute something was only once slow. */
function lag(minutes: readonly PastStep[]): Fault[] {
  const late = ({ gauges }: PastStep): number => gauges['lag p99'] ?? 0
  return faultOf(
    minutes,
    (minute) => late(minute) > limits.lag,
    (all, isOver) =>
      all.seconds > lull &&
      `The event loop ${isOver ? 'lagged' : 'lags'} by up to ${shown(late(all), 'seconds')}`,
    '/errors/profiles',
  )
}

function growth(steps: readonly PastStep[], worker: string, seconds: number): Fault[] {
  const run = steps.filter(
    ({ at, gauges }) =>
      at > (steps.at(-1)?.at ?? 0) - seconds && (gauges[`uptime ${worker}`] ?? 0) >= startSeconds,
  )
  // Of each quarter what is left after garbage collection.
  const least = [0, 1, 2, 3].map((quarter) => {
    const own = run.slice((quarter * run.length) / 4, ((quarter + 1) * run.length) / 4)
    return Math.min(...own.map(({ gauges }) => gauges[`memory ${worker}`] ?? Infinity))
  })
  const [first = 0, , , last = 0] = least
  const isGrowing = least.every((bytes, at) => at === 0 || bytes > (least[at - 1] ?? 0))
  if (!isGrowing || last < Math.max(first * 1.5, first + growthBytes)) return []
  if (secondsOf(run) < 0.9 * seconds) return []
  const sizes = `from ${shown(first, 'bytes')} to ${shown(last, 'bytes')}`
  return faultOf(
    run,
    () => true,
    () => `Memory of worker ${worker} grows: ${sizes}`,
    '/errors/profiles',
  )
}

function exceptions(minutes: readonly PastStep[]): Fault[] {
  return faultOf(
    minutes,
    ({ grown }) => (grown['exceptions'] ?? 0) > 0 || null,
    ({ grown: { exceptions: count = 0 } }) =>
      count === 1 ? '1 exception was reported' : `${count} exceptions were reported`,
    '/errors',
  )
}

/** The keys of the routes, those first that fail or are slow, and of requests without one. */
function routesIn(minutes: readonly PastStep[]): string[] {
  const keys = new Set(minutes.toReversed().flatMap(({ counts }) => Object.keys(counts)))
  return [...keys].filter((key) => key.startsWith('route '))
}

function nameOf(key: string): string {
  return key.slice('route '.length)
}

function secondsOf(steps: readonly PastStep[]): number {
  return steps.reduce((total, { seconds }) => total + seconds, 0)
}

/** Null if the value is unknown. */
function isAbove(value: number | null, limit: number): boolean | null {
  return value === null ? null : value > limit
}

function shown(value: number | null, unit: 'seconds' | 'bytes' | 'share'): string {
  return trimZeros(formatValue(value, unit))
}
