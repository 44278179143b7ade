import { seriesOf } from './sample.ts'
import type { Sample, Series } from './sample.ts'

/**
 * How much the series of a counter grew between two samples, added up by the value of `label`, or
 * under '' when that is ''. A value that fell began again at zero. Empty without such a counter.
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
    // A worker seen for the first time may have counted long before: how long, nobody knows.
    if (old === undefined && labels.has('pid')) continue
    const past = old === undefined || value < old.value ? 0 : old.value
    const group = labels.get(label) ?? ''
    grown.set(group, (grown.get(group) ?? 0) + value - past)
  }
  return grown
}

/**
 * What a histogram counted between two samples: cumulative counts by upper bound, its series added
 * up. A series that fell in any bucket began again at zero.
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
