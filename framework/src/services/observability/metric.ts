import type { Labels } from './labels.ts'
import type { Merges } from './merges.ts'

/** One series of a counter or gauge. */
export interface ValueSeries {
  readonly labels: Labels
  readonly value: number
}

/** Cumulative counts by upper bound in shortest decimal form, and `+Inf` for all. */
export type BucketCounts = Readonly<Record<string, number>>

/** One series of a histogram. */
export interface HistogramSeries {
  readonly labels: Labels
  readonly buckets: BucketCounts
  readonly sum: number
  readonly count: number
}

/** The series of a counter or gauge by that name; `merge` is there unless it is `sum`. */
export interface ValueMetric {
  readonly type: 'counter' | 'gauge'
  readonly help: string
  readonly merge?: Merges
  readonly series: ValueSeries[]
}

/** The series of a histogram by that name; all of them have the same bounds. */
export interface HistogramMetric {
  readonly type: 'histogram'
  readonly help: string
  readonly series: HistogramSeries[]
}

/** What a snapshot holds under a name. */
export type Metric = ValueMetric | HistogramMetric
