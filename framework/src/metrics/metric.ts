import type { Labels } from './labels.ts'
import type { Merges } from './merges.ts'

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
