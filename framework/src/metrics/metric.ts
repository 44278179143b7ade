import type { Labels } from './labels.ts'
import { invalidArgument } from '../base/errors.ts'
import { quote } from './metric-name.ts'

/** One series of a counter or gauge. */
export interface ValueSeries {
  readonly labels: Labels
  readonly value: number
}

/** Cumulative counts by upper bound in shortest decimal form, and `+Inf` for the total. */
export type BucketCounts = Readonly<Record<string, number>>

/** An observation that can be looked up: the span in which it was made. */
export interface Exemplar {
  readonly value: number
  /** Epoch seconds. */
  readonly timestamp: number
  readonly traceId: string
  readonly spanId: string
}

/** The newest exemplar of each bucket that has one, by upper bound. */
export type Exemplars = Readonly<Record<string, Exemplar>>

/** One series of a histogram. */
export interface HistogramSeries {
  readonly labels: Labels
  readonly buckets: BucketCounts
  readonly sum: number
  readonly count: number
  readonly exemplars?: Exemplars
}

/** A counter or gauge and its series; `merge` is omitted when it is `sum`. */
export interface ValueMetric {
  readonly type: 'counter' | 'gauge'
  readonly help: string
  readonly merge?: Merges
  readonly series: ValueSeries[]
}

/** A histogram and its series, which all have the same bounds. */
export interface HistogramMetric {
  readonly type: 'histogram'
  readonly help: string
  readonly series: HistogramSeries[]
}

/** A metric of a snapshot. */
export type Metric = ValueMetric | HistogramMetric

/** A copy of a metric, with those of its series for which this holds. */
export function filterSeries(
  metric: Metric,
  holds: (series: ValueSeries | HistogramSeries) => boolean,
): Metric {
  return metric.type === 'histogram'
    ? { ...metric, series: metric.series.filter(holds) }
    : { ...metric, series: metric.series.filter(holds) }
}

/** The metric without series that are NaN or infinite, which would spoil every sum. */
export function finiteMetric(metric: Metric): Metric {
  return metric.series.every(isFiniteSeries) ? metric : filterSeries(metric, isFiniteSeries)
}

function isFiniteSeries(series: ValueSeries | HistogramSeries): boolean {
  return Number.isFinite('sum' in series ? series.sum : series.value)
}

/** How the values of one series are combined when snapshots of several processes are merged. */
export const Merges = { Sum: 'sum', Max: 'max', Min: 'min', Last: 'last' } as const
Object.freeze(Merges)
export type Merges = (typeof Merges)[keyof typeof Merges]

/** Whether a value is one of `Merges`. */
export function isMerge(value: unknown): value is Merges {
  return Object.values(Merges).some((merge) => merge === value)
}

/**
 * Returns its argument.
 * @throws InvalidArgumentException when it is not one of `Merges`.
 */
export function checkMerge(merge: Merges): Merges {
  if (isMerge(merge)) return merge
  const known = Object.values(Merges).join(', ')
  throw invalidArgument(`merge must be one of ${known}; got ${quote(merge)}`)
}
