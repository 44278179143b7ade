import { boundsOf, unbounded } from '../buckets.ts'
import { labelSet, labelText } from '../labels.ts'
import type { Exemplar, HistogramMetric, Metric, ValueMetric } from '../metric.ts'
import { SampleNames } from '../sample-names.ts'
import type { Snapshot } from '../snapshot.ts'

/** Samples per chunk, which takes well under a millisecond to write. */
const chunkSamples = 2_048

/** The differences between text formats. */
export interface Dialect {
  /** The lines above the samples of a metric; `names` are the sample names of all metrics. */
  head(name: string, metric: Metric, names: SampleNames): string
  /** Whether the format can express the value. */
  carries(metric: ValueMetric, value: number): boolean
  /** Formats an upper bound. */
  bound(bound: string): string
  /** What follows the count of a bucket; empty if the format has no exemplars. */
  exemplar(exemplar: Exemplar): string
  /** Whether the sum and count of a histogram with these bounds are written. */
  hasSum(bounds: readonly string[]): boolean
  /** The end of the document. */
  readonly end: string
}

/**
 * Writes a snapshot in chunks, so that the sender can yield in between. A metric is left out if its
 * sample names clash with another metric's, which can happen when snapshots of workers are merged.
 */
export function* expose(snapshot: Snapshot, prefix: string, dialect: Dialect): Generator<string> {
  let text = ''
  let samples = 0
  const names = new SampleNames()
  const metrics = Object.entries(snapshot.metrics)
    .map(([name, metric]) => [prefix + name, metric] as const)
    .filter(([name, { type, series }]) => series.length > 0 && names.claim(name, type) === null)
  for (const [name, metric] of metrics) {
    const { length } = metric.series
    text += dialect.head(name, metric, names)
    const write = writerOf(name, metric, dialect)
    const each = samplesOf(metric)
    const step = Math.ceil(chunkSamples / each)
    for (let from = 0; from < length; from += step) {
      const to = Math.min(from + step, length)
      text += write(from, to)
      samples += (to - from) * each
      if (samples < chunkSamples) continue
      yield text
      text = ''
      samples = 0
    }
  }
  text += dialect.end
  if (text !== '') yield text
}

/** Number of lines per series of the metric. */
function samplesOf(metric: Metric): number {
  if (metric.type !== 'histogram') return 1
  return Object.keys(metric.series[0]?.buckets ?? {}).length + 2
}

/** A value in both formats: integers without decimals, and `NaN`, `+Inf` and `-Inf`. */
export function sampleValue(value: number): string {
  if (Number.isFinite(value)) return String(value)
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? '+Inf' : '-Inf'
}

type Writer = (from: number, to: number) => string

function writerOf(name: string, metric: Metric, dialect: Dialect): Writer {
  if (metric.type === 'histogram') return histogramWriter(name, metric, dialect)
  return valueWriter(name, metric, dialect)
}

// The two loops below take most of the time of a scrape, hence plain loops and concatenation.

function valueWriter(name: string, metric: ValueMetric, dialect: Dialect): Writer {
  const { series } = metric
  return (from, to) => {
    let lines = ''
    for (let at = from; at < to; at++) {
      const one = series[at]
      if (one === undefined || !dialect.carries(metric, one.value)) continue
      lines += name + labelSet(one.labels) + (sampleValue(one.value) + '\n')
    }
    return lines
  }
}

function histogramWriter(name: string, { series }: HistogramMetric, dialect: Dialect): Writer {
  const bounds = boundsOf(series[0]?.buckets ?? {})
  const withSum = dialect.hasSum(bounds)
  const buckets = [...bounds, unbounded].map((bound) => {
    return { bound, close: `le="${dialect.bound(bound)}"} ` }
  })
  return (from, to) => {
    let lines = ''
    for (let at = from; at < to; at++) {
      const one = series[at]
      if (one === undefined) continue
      const text = labelText(one.labels)
      const open = [name, '_bucket{', text, text === '' ? '' : ','].join('')
      const { exemplars } = one
      for (const { bound, close } of buckets) {
        lines += open + close + (one.buckets[bound] ?? 0)
        const exemplar = exemplars?.[bound]
        lines += exemplar === undefined ? '\n' : dialect.exemplar(exemplar) + '\n'
      }
      if (!withSum) continue
      const set = labelSet(one.labels)
      lines += `${name}_sum${set}${sampleValue(one.sum)}\n${name}_count${set}${one.count}\n`
    }
    return lines
  }
}
