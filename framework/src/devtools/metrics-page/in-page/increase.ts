import { seriesOf } from './sample.ts'
import type { Sample, Series } from './sample.ts'

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

/** The series of a metric by their labels. */
export function seriesByKey(sample: Sample, name: string): Map<string, Series> {
  return new Map(seriesOf(sample, name).map((series) => [series.key, series]))
}
