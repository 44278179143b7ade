import type { Sample } from './sample.ts'

/** What grew from one sample to the next. */
export interface Step {
  readonly seconds: number
  readonly grown: ReadonlyMap<string, number>
}

/** Values of workers, which come and go: they count only from the second sample of each. */
const ofWorkers = /^(?:cpu|blocked) /

/** The growth of every counter. A value that fell was reset to zero. */
export function stepOf(before: Sample, after: Sample): Step {
  const grown = new Map<string, number>()
  for (const [key, value] of after.counters) {
    const old = before.counters.get(key)
    // A worker seen for the first time may have been counting for an unknown time.
    if (old === undefined && ofWorkers.test(key)) continue
    grown.set(key, old === undefined || value < old ? value : value - old)
  }
  return { seconds: after.at - before.at, grown }
}

/** Increase per second. */
export function ratesOf({ seconds, grown }: Step): Map<string, number> {
  return new Map([...grown].map(([key, growth]) => [key, growth / seconds]))
}

/** What comes after the prefix in each key, and its value. */
export function valuesBelow(
  values: ReadonlyMap<string, number>,
  prefix: string,
): Map<string, number> {
  const below = [...values].filter(([key]) => key.startsWith(prefix))
  return new Map(below.map(([key, value]) => [key.slice(prefix.length), value]))
}

/** The values of histograms, by the key of each and then by bound: keys such as `route GET / 0.1`. */
export function bucketsOf(values: ReadonlyMap<string, number>): Map<string, Map<string, number>> {
  const histograms = new Map<string, Map<string, number>>()
  for (const [key, value] of values) {
    const [, name, bound] = /^(latency|route .*) (\S+)$/s.exec(key) ?? []
    if (name === undefined || bound === undefined) continue
    const buckets = histograms.get(name) ?? new Map<string, number>()
    histograms.set(name, buckets.set(bound, value))
  }
  return histograms
}

/**
 * The quantile of observations by upper bound, interpolated inside its bucket; null if there are none.
 * Above the last finite bound it is that bound, since more is not known.
 */
export function quantile(buckets: ReadonlyMap<string, number>, share: number): number | null {
  const counts = [...buckets]
    .map(([bound, count]) => ({ bound: bound === '+Inf' ? Infinity : Number(bound), count }))
    .filter(({ bound }) => !Number.isNaN(bound))
    .sort((one, other) => one.bound - other.bound)
  const total = counts.at(-1)?.count ?? 0
  if (total <= 0) return null
  const rank = share * total
  let from = 0
  let below = 0
  for (const { bound, count } of counts) {
    if (bound === Infinity) return from
    if (count >= rank && count > below) {
      return from + ((bound - from) * (rank - below)) / (count - below)
    }
    from = bound
    // Workers are read at slightly different times, so a count may seem to fall.
    below = Math.max(below, count)
  }
  return from
}
