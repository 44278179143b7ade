import { keepParts, roundParts, sumParts } from './exact-sum.ts'
import type { Merges } from './merges.ts'
import type { Exemplar, Exemplars, HistogramSeries, ValueSeries } from './metric.ts'

/** Merges two values of one series; `newer` says whether the incoming one is more recent. */
export function mergeValues(
  own: ValueSeries,
  incoming: ValueSeries,
  merge: Merges,
  newer: boolean,
): ValueSeries {
  const { labels } = own
  if (merge !== 'sum') {
    return { labels, value: merged[merge](own.value, incoming.value, newer) }
  }
  const parts = sumParts(own, own.value, incoming, incoming.value)
  if (parts === null) return { labels, value: own.value + incoming.value }
  return keepParts({ labels, value: roundParts(parts) }, parts)
}

/** Merges two histograms of one series, which must have the same buckets. */
export function mergeHistograms(own: HistogramSeries, incoming: HistogramSeries): HistogramSeries {
  const buckets: Record<string, number> = { ...own.buckets }
  // Not `Object.entries`, which takes twice as long: a scrape merges thousands of buckets.
  for (const bound in incoming.buckets) {
    buckets[bound] = (buckets[bound] ?? 0) + (incoming.buckets[bound] ?? 0)
  }
  const { labels } = own
  const count = own.count + incoming.count
  const parts = sumParts(own, own.sum, incoming, incoming.sum)
  const exemplars = mergeExemplars(own.exemplars, incoming.exemplars)
  const more = exemplars === undefined ? {} : { exemplars }
  if (parts === null) return { labels, buckets, sum: own.sum + incoming.sum, count, ...more }
  return keepParts({ labels, buckets, sum: roundParts(parts), count, ...more }, parts)
}

/** Of each bucket the newer one. */
function mergeExemplars(
  own: Exemplars | undefined,
  incoming: Exemplars | undefined,
): Exemplars | undefined {
  if (own === undefined || incoming === undefined) return own ?? incoming
  const merged: Record<string, Exemplar> = { ...own }
  for (const [bound, exemplar] of Object.entries(incoming)) {
    const known = merged[bound]
    if (known === undefined || known.timestamp < exemplar.timestamp) merged[bound] = exemplar
  }
  return merged
}

type Merged = (own: number, incoming: number, newer: boolean) => number

const merged: Readonly<Record<Exclude<Merges, 'sum'>, Merged>> = {
  max: (own, incoming) => Math.max(own, incoming),
  min: (own, incoming) => Math.min(own, incoming),
  last: (own, incoming, newer) => (newer ? incoming : own),
}
