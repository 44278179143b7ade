import { sameBounds } from './buckets.ts'
import { readDocument } from './read-document.ts'
import { checkMetricName } from './metric-name.ts'
import type {
  HistogramMetric,
  Metric,
  Exemplar,
  Exemplars,
  HistogramSeries,
  ValueSeries,
} from './metric.ts'
import { keepParts, roundParts, sumParts } from './exact-sum.ts'
import type { Merges } from './merges.ts'
import { labelJson } from './labels.ts'
import type { Labels } from './labels.ts'

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
   * Merges the series of one metric and returns how many were dropped. `timestamp` is when they were
   * read; `distinct` promises that no two of them have the same labels.
   * @throws InvalidArgumentException (E_METRIC_NAME)
   */
  add(
    name: string,
    metric: Metric,
    timestamp: number = this.timestamp,
    distinct: boolean = false,
  ): number {
    const own = this.#own(name, metric)
    if (distinct && own.series.length === 0) return this.#copyAll(name, metric, timestamp)
    if (own.type === 'histogram' && metric.type === 'histogram') {
      return this.#addHistograms(own, metric, this.#table(name, own), timestamp)
    }
    if (own.type === 'histogram' || metric.type !== own.type) return metric.series.length
    const table = this.#table(name, own)
    const { merge = 'sum' } = own
    addSeries(own.series, metric.series, table, timestamp, (existing, incoming, at) =>
      mergeValues(existing, incoming, merge, table.updateTime(at, timestamp)),
    )
    return 0
  }

  /** The metric with this name, created without series if necessary. */
  #own(name: string, metric: Metric): Metric {
    const known = Object.hasOwn(this.metrics, name) ? this.metrics[name] : undefined
    return known ?? (this.metrics[checkMetricName(name)] = { ...metric, series: [] })
  }

  #table(name: string, { series }: Metric): SeriesTable {
    const known = this.#tables.get(name)
    if (known?.fits(series)) return known
    const table = new SeriesTable(series, this.timestamp)
    this.#tables.set(name, table)
    return table
  }

  /** The fast path: there is nothing to merge with, and the series are distinct. */
  #copyAll(name: string, metric: Metric, timestamp: number): number {
    const copy: Metric =
      metric.type === 'histogram'
        ? { ...metric, series: [...metric.series] }
        : { ...metric, series: [...metric.series] }
    this.metrics[name] = copy
    this.#tables.set(name, new SeriesTable(copy.series, timestamp))
    return 0
  }

  #addHistograms(
    { series: own }: HistogramMetric,
    { series }: HistogramMetric,
    table: SeriesTable,
    timestamp: number,
  ): number {
    const { buckets } = own[0] ?? series[0] ?? { buckets: {} }
    const fitting = series.filter((incoming) => sameBounds(buckets, incoming.buckets))
    addSeries(own, fitting, table, timestamp, mergeHistograms)
    return series.length - fitting.length
  }
}

/** Appends series, or merges them with those that have the same labels; `at` is the place of the other. */
function addSeries<Series extends HistogramSeries | ValueSeries>(
  own: Series[],
  series: readonly Series[],
  table: SeriesTable,
  timestamp: number,
  merge: (existing: Series, incoming: Series, at: number) => Series,
): void {
  for (const [at, incoming] of series.entries()) {
    const index = table.indexOf(incoming.labels, at)
    const existing = index === undefined ? undefined : own[index]
    if (index === undefined || existing === undefined) {
      own.push(incoming)
      table.append(incoming.labels, timestamp)
    } else {
      own[index] = merge(existing, incoming, index)
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

/** Finds the series of a metric by labels, and records the time of each. */
class SeriesTable {
  readonly #series: readonly { readonly labels: Labels }[]
  /** By labels. Created when needed, as workers usually list the same series in the same order. */
  #indexes: Map<string, number> | null = null
  /** Epoch seconds of each series. */
  readonly #times: number[]
  #next = 0

  constructor(series: readonly { readonly labels: Labels }[], timestamp: number) {
    this.#series = series
    this.#times = series.map(() => timestamp)
  }

  /** Whether the table is still valid for this list, which other code may have changed. */
  fits(series: readonly unknown[]): boolean {
    return this.#series === series && this.#times.length === series.length
  }

  /**
   * The index of the series with these labels, or undefined. Tries the one after the previous result
   * and `guess` first.
   */
  indexOf(labels: Labels, guess: number): number | undefined {
    const index = this.#likely(labels, guess) ?? this.#known(labels)
    if (index !== undefined) this.#next = index + 1
    return index
  }

  /** Records a series that was added at the end of the list. */
  append(labels: Labels, timestamp: number): void {
    const index = this.#times.push(timestamp) - 1
    this.#indexes?.set(labelJson(labels), index)
  }

  /** Sets the time of a series unless it is older; returns whether it was set. */
  updateTime(index: number, timestamp: number): boolean {
    if (timestamp < (this.#times[index] ?? 0)) return false
    this.#times[index] = timestamp
    return true
  }

  #likely(labels: Labels, guess: number): number | undefined {
    if (this.#series[this.#next]?.labels === labels) return this.#next
    return this.#series[guess]?.labels === labels ? guess : undefined
  }

  #known(labels: Labels): number | undefined {
    this.#indexes ??= new Map(this.#series.map((one, index) => [labelJson(one.labels), index]))
    return this.#indexes.get(labelJson(labels))
  }
}
