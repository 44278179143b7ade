import { sameBounds } from './buckets.ts'
import { readDocument } from './read-document.ts'
import { mergeHistograms, mergeValues } from './merge-series.ts'
import { checkMetricName } from './metric-name.ts'
import type { HistogramMetric, Metric, ValueMetric } from './metric.ts'
import { SeriesTable } from './series-table.ts'

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
    return this.#addValues(own, metric, this.#table(name, own), timestamp)
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

  #addValues(
    { merge = 'sum', series: own }: ValueMetric,
    { series }: ValueMetric,
    table: SeriesTable,
    timestamp: number,
  ): number {
    for (const [at, incoming] of series.entries()) {
      const index = table.indexOf(incoming.labels, at)
      const existing = index === undefined ? undefined : own[index]
      if (index === undefined || existing === undefined) {
        own.push(incoming)
        table.append(incoming.labels, timestamp)
      } else {
        own[index] = mergeValues(existing, incoming, merge, table.updateTime(index, timestamp))
      }
    }
    return 0
  }

  #addHistograms(
    { series: own }: HistogramMetric,
    { series }: HistogramMetric,
    table: SeriesTable,
    timestamp: number,
  ): number {
    let dropped = 0
    for (const [at, incoming] of series.entries()) {
      const first = own[0] ?? incoming
      if (!sameBounds(first.buckets, incoming.buckets)) {
        dropped += 1
        continue
      }
      const index = table.indexOf(incoming.labels, at)
      const existing = index === undefined ? undefined : own[index]
      if (index === undefined || existing === undefined) {
        own.push(incoming)
        table.append(incoming.labels, timestamp)
      } else {
        own[index] = mergeHistograms(existing, incoming)
      }
    }
    return dropped
  }
}
