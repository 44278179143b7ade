import { boundsOf, unbounded } from '../buckets.ts'
import { labelSet, labelText } from '../labels.ts'
import type { HistogramMetric, Metric, ValueMetric } from '../metric.ts'
import { SampleNames } from '../sample-names.ts'
import type { Snapshot } from '../snapshot.ts'

/** Samples written in one go: a chunk takes well under a millisecond. */
const chunkSamples = 2_048

/** What sets one text format apart from another. */
export interface Dialect {
  /** The lines above the samples of a metric; `names` are those that all metrics write. */
  head(name: string, metric: Metric, names: SampleNames): string
  /** Whether the format can carry the value. */
  carries(metric: ValueMetric, value: number): boolean
  /** An upper bound as the format writes it. */
  bound(bound: string): string
  /** Whether the sum and count of a histogram with these bounds are written. */
  hasSum(bounds: readonly string[]): boolean
  /** What closes the document. */
  readonly end: string
}

/**
 * Writes a snapshot in pieces, so that whoever sends it can let others work in between. A metric is
 * left out if its samples would have the name of another one's: workers may bring such metrics that
 * no registry saw together.
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

/** How many lines a series of the metric takes. */
function samplesOf(metric: Metric): number {
  if (metric.type !== 'histogram') return 1
  return Object.keys(metric.series[0]?.buckets ?? {}).length + 2
}

/** A value as both formats write it: integers without decimals, and names for what is no number. */
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

// The two loops below are most of a scrape: plain counting and adding of texts is what V8 does best.

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
      for (const { bound, close } of buckets)
        lines += open + close + ((one.buckets[bound] ?? 0) + '\n')
      if (!withSum) continue
      const set = labelSet(one.labels)
      lines += `${name}_sum${set}${sampleValue(one.sum)}\n${name}_count${set}${one.count}\n`
    }
    return lines
  }
}
