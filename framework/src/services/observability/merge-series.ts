import type { Merges } from './merges.ts'
import type { HistogramSeries, ValueSeries } from './metric.ts'

/** Two values of one series as one; `newer` tells whether the incoming one is the later of the two. */
export function mergeValues(
  own: ValueSeries,
  incoming: ValueSeries,
  merge: Merges,
  newer: boolean,
): ValueSeries {
  return { labels: own.labels, value: merged[merge](own.value, incoming.value, newer) }
}

/** Two histograms of one series as one. They must count into the same buckets. */
export function mergeHistograms(own: HistogramSeries, incoming: HistogramSeries): HistogramSeries {
  const buckets: Record<string, number> = { ...own.buckets }
  for (const [bound, count] of Object.entries(incoming.buckets)) {
    buckets[bound] = (buckets[bound] ?? 0) + count
  }
  return {
    labels: own.labels,
    buckets,
    sum: own.sum + incoming.sum,
    count: own.count + incoming.count,
  }
}

type Merged = (own: number, incoming: number, newer: boolean) => number

const merged: Readonly<Record<Merges, Merged>> = {
  sum: (own, incoming) => own + incoming,
  max: (own, incoming) => Math.max(own, incoming),
  min: (own, incoming) => Math.min(own, incoming),
  last: (own, incoming, newer) => (newer ? incoming : own),
}
