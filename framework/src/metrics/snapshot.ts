import { sameBounds } from './buckets.ts'
import { readDocument } from './read-document.ts'
import { checkMetricName } from './metric-name.ts'
import type { Exemplar, Exemplars, HistogramSeries, Merges, Metric, ValueSeries } from './metric.ts'
import { keepParts, roundParts, sumParts } from './exact-sum.ts'
import { labelJson } from './labels.ts'

/** The values of many series at one time. */
export class Snapshot {
  /** Epoch seconds; of the newest part when merged. */
  timestamp: number
  /** The metrics by name, in the order they were added. */
  readonly metrics: Record<string, Metric> = {}
  readonly #tables = new Map<string, SeriesTable>()

  constructor(timestamp: number = Date.now() / 1_000) {
    this.timestamp = timestamp
  }

  /**
   * Rebuilds a snapshot from a decoded JSON document; invalid parts are left out.
   * @throws InvalidArgumentException (E_SNAPSHOT) when the document is not a snapshot.
   */
  static import(document: unknown): Snapshot {
    const { timestamp, metrics } = readDocument(document)
    const snapshot = new Snapshot(timestamp)
    for (const [name, metric] of metrics) snapshot.add(name, metric)
    return snapshot
  }

  /**
   * Merges another snapshot into this one: series with equal name and labels are combined by the
   * metric's `merge` (histograms are added), others are kept side by side. Incoming series whose type
   * or buckets differ from those already here are dropped.
   */
  merge(other: Snapshot): this {
    for (const [name, metric] of Object.entries(other.metrics)) {
      this.add(name, metric, other.timestamp)
    }
    this.timestamp = Math.max(this.timestamp, other.timestamp)
    return this
  }

  /**
   * Merges the series of one metric and returns how many were dropped. `timestamp` is when they were read.
   * @throws InvalidArgumentException (E_METRIC_NAME)
   */
  add(name: string, metric: Metric, timestamp: number = this.timestamp): number {
    const known = Object.hasOwn(this.metrics, name) ? this.metrics[name] : undefined
    const own = known ?? (this.metrics[checkMetricName(name)] = { ...metric, series: [] })
    const table = this.#table(name, own.series)
    if (own.type === 'histogram' && metric.type === 'histogram') {
      const { buckets } = own.series[0] ?? metric.series[0] ?? { buckets: {} }
      const fitting = metric.series.filter((incoming) => sameBounds(buckets, incoming.buckets))
      addSeries(own.series, fitting, table, timestamp, mergeHistograms)
      return metric.series.length - fitting.length
    }
    if (own.type === 'histogram' || metric.type !== own.type) return metric.series.length
    const { merge = 'sum' } = own
    addSeries(own.series, metric.series, table, timestamp, (existing, incoming, newer) =>
      mergeValues(existing, incoming, merge, newer),
    )
    return 0
  }

  #table(name: string, series: readonly LabelledSeries[]): SeriesTable {
    const known = this.#tables.get(name)
    // Other code may have changed the list.
    if (known?.series === series && known.times.length === series.length) return known
    const places = new Map(series.map(({ labels }, at) => [labelJson(labels), at] as const))
    const table = { series, places, times: series.map(() => this.timestamp) }
    this.#tables.set(name, table)
    return table
  }
}

type LabelledSeries = HistogramSeries | ValueSeries

/** Where the series of a metric are by their labels, and when each of them was read. */
interface SeriesTable {
  readonly series: readonly LabelledSeries[]
  readonly places: Map<string, number>
  readonly times: number[]
}

/** Appends series, or merges them with those that have the same labels. */
function addSeries<Series extends LabelledSeries>(
  own: Series[],
  series: readonly Series[],
  { places, times }: SeriesTable,
  timestamp: number,
  merge: (existing: Series, incoming: Series, newer: boolean) => Series,
): void {
  for (const incoming of series) {
    const key = labelJson(incoming.labels)
    const at = places.get(key)
    const existing = at === undefined ? undefined : own[at]
    if (at === undefined || existing === undefined) {
      places.set(key, own.push(incoming) - 1)
      times.push(timestamp)
    } else {
      const newer = timestamp >= (times[at] ?? 0)
      if (newer) times[at] = timestamp
      own[at] = merge(existing, incoming, newer)
    }
  }
}

/** Merges two values of one series; `newer` says whether the incoming one is more recent. */
function mergeValues(
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
function mergeHistograms(own: HistogramSeries, incoming: HistogramSeries): HistogramSeries {
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
