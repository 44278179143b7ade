import type { Chart } from './charts.ts'
import { formatValue } from './format-value.ts'
import { workersIn } from './history.ts'
import type { History, Point } from './history.ts'
import { valuesBelow } from './rates.ts'

/** A value at a time; null where the line has a gap. */
export interface Dot {
  readonly at: number
  readonly value: number | null
}

/** A line of a chart with its values. */
export interface Line {
  readonly name: string
  /** 1 to 8; 0 for ended workers. */
  readonly tone: number
  /** The drawn values: one track, or several that share a name. */
  readonly tracks: readonly (readonly Dot[])[]
  /** The value at the selected time. */
  readonly value: number | null
  /** The smallest and the largest value in the history. */
  readonly least: number | null
  readonly most: number | null
}

/** The lines of a chart, with their values at the time `at`. */
export function linesOf(chart: Chart, history: History, at: number): Line[] {
  const { lines = [], workers } = chart
  if (workers !== undefined) return workerLines(workers, history, at)
  return lines.map(({ key, name, tone }) => lineOf(name, tone, [trackOf(history.points, key)], at))
}

/**
 * One line per live worker and one for those that ended; with more than eight workers only the highest,
 * median and lowest value, which can still be distinguished.
 */
export function workerLines(prefix: string, history: History, at: number): Line[] {
  const { points, tones } = history
  const living = workersIn(points.slice(-1), prefix)
  if (living.length > 8) return spreadLines(prefix, points, living.length, at)
  const lines = living.map((worker) =>
    lineOf(worker, tones.get(worker) ?? 1, [trackOf(points, prefix + worker)], at),
  )
  const ended = workersIn(points, prefix).filter((worker) => !living.includes(worker))
  if (ended.length === 0) return lines
  const tracks = ended.map((worker) => trackOf(points, prefix + worker))
  return [...lines, lineOf(ended.length + ' ended', 0, tracks, at)]
}

/** Lines for the spread of the workers' values. */
export function spreadLines(
  prefix: string,
  points: readonly Point[],
  workers: number,
  at: number,
): Line[] {
  const spreads = points.map((point) => ({ at: point.at, values: spreadOf(point, prefix) }))
  const places = [
    { name: 'Highest of ' + workers, tone: 5, place: 2 },
    { name: 'Median', tone: 1, place: 1 },
    { name: 'Lowest', tone: 3, place: 0 },
  ]
  return places.map(({ name, tone, place }) => {
    const track = spreads.map((spread) => ({ at: spread.at, value: spread.values[place] ?? null }))
    return lineOf(name, tone, [track], at)
  })
}

/** Lowest, median and highest value of the workers; empty without workers. */
export function spreadOf({ values }: Point, prefix: string): number[] {
  const sorted = [...valuesBelow(values, prefix).values()].sort((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  const low = sorted[Math.floor(middle)]
  const high = sorted[Math.ceil(middle)]
  if (low === undefined || high === undefined) return []
  return [sorted[0] ?? low, (low + high) / 2, sorted.at(-1) ?? high]
}

/** The values of a key over time. */
export function trackOf(points: readonly Point[], key: string): Dot[] {
  return points.map(({ at, values }) => ({ at, value: values.get(key) ?? null }))
}

/** A line with its numbers; where tracks overlap, the last one with a value counts. */
export function lineOf(
  name: string,
  tone: number,
  tracks: readonly (readonly Dot[])[],
  at: number,
): Line {
  let value: number | null = null
  let least: number | null = null
  let most: number | null = null
  for (const dot of tracks.flat()) {
    if (dot.value === null) continue
    if (dot.at === at) value = dot.value
    least = Math.min(least ?? dot.value, dot.value)
    most = Math.max(most ?? dot.value, dot.value)
  }
  return { name, tone, tracks, value, least, most }
}

/** The time of the point nearest to `at`; of the latest point without `at`. */
export function nearestTime(points: readonly Point[], at: number | null): number {
  const newest = points.at(-1)?.at ?? 0
  if (at === null) return newest
  let nearest = newest
  for (const point of points) {
    if (Math.abs(point.at - at) < Math.abs(nearest - at)) nearest = point.at
  }
  return nearest
}

/** The text alternative of a chart. */
export function alternativeOf(chart: Chart, lines: readonly Line[], minutes: number): string {
  const values = lines.map(({ name, value }) =>
    value === null ? name + ' unknown' : name + ' ' + formatValue(value, chart.unit),
  )
  const text = values.length === 0 ? 'nothing measured yet' : values.join(', ')
  return chart.title + ' over the last ' + minutes + ' minutes: ' + text
}

/** The positions of the dots that no line leads to, which would be invisible without a mark. */
export function loneDots(track: readonly Dot[]): number[] {
  const isKnown = (at: number): boolean => (track[at]?.value ?? null) !== null
  return [...track.keys()].filter((at) => isKnown(at) && !isKnown(at - 1) && !isKnown(at + 1))
}
