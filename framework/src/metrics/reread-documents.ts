import { boundsOf, unbounded } from './buckets.ts'
import { readExemplars } from './exporters/exemplars-text.ts'
import { metricHead } from './exporters/json.ts'
import { labelJson } from './labels.ts'
import type { BucketCounts, HistogramSeries, Metric, ValueSeries } from './metric.ts'
import type { SnapshotDocument } from './read-document.ts'
import { TextScanner } from './text-scanner.ts'

/**
 * Reads a text that differs from earlier documents only in its numbers, as workers write the same
 * series repeatedly. Yields the updated documents one at a time, and null as soon as the text differs
 * in anything else and has to be parsed in full.
 */
export function* rereadDocuments(
  text: string,
  before: readonly SnapshotDocument[],
): Generator<SnapshotDocument | null, void> {
  const scanner = new TextScanner(text)
  const timestamp = scanner.take('{"timestamp":') ? scanner.number() : null
  let last = ''
  let fits = timestamp !== null && scanner.take(',"metrics":{')
  for (const { metrics, retired } of before) {
    const updated = fits ? rereadMetrics(scanner, metrics, last) : null
    // The file of retired workers, which has more than metrics, is always parsed.
    fits = updated !== null && retired.length === 0
    if (timestamp === null || updated === null || !fits) break
    yield { timestamp, metrics: updated, retired }
    last = metrics.at(-1)?.[0] ?? last
  }
  const end = last === '' ? '}}\n' : ']}}}\n'
  if (!fits || !scanner.take(end) || !scanner.ended) yield null
}

function rereadMetrics(
  scanner: TextScanner,
  before: SnapshotDocument['metrics'],
  last: string,
): SnapshotDocument['metrics'] | null {
  const updated: (readonly [string, Metric])[] = []
  for (const [name, metric] of before) {
    if (!takeOpening(scanner, name, metric, updated.at(-1)?.[0] ?? last)) return null
    const updatedMetric = reread(scanner, metric)
    if (updatedMetric === null) return null
    updated.push([name, updatedMetric])
  }
  return updated
}

/** A metric that was split between two documents continues without an opening. */
function takeOpening(scanner: TextScanner, name: string, metric: Metric, last: string): boolean {
  if (name === last) return scanner.take(',')
  if (last !== '' && !scanner.take(']},')) return false
  return scanner.take(`${JSON.stringify(name)}:${metricHead(metric)}`)
}

function reread(scanner: TextScanner, metric: Metric): Metric | null {
  if (metric.type === 'histogram') {
    const bounds = [...boundsOf(metric.series[0]?.buckets ?? {}), unbounded]
    const series = rereadAll(scanner, metric.series, (scanning, one) =>
      rereadHistogram(scanning, one, bounds),
    )
    return series && { ...metric, series }
  }
  const min = metric.type === 'counter' ? 0 : -Infinity
  const series = rereadAll(scanner, metric.series, (scanning, one) =>
    rereadValue(scanning, one, min),
  )
  return series && { ...metric, series }
}

function rereadAll<Series extends ValueSeries | HistogramSeries>(
  scanner: TextScanner,
  before: readonly Series[],
  read: (scanner: TextScanner, one: Series) => Series | null,
): Series[] | null {
  const updated: Series[] = []
  for (const one of before) {
    if (updated.length > 0 && !scanner.take(',')) return null
    if (!scanner.take('{"labels":') || !scanner.take(labelJson(one.labels))) return null
    const series = read(scanner, one)
    if (series === null) return null
    updated.push(series)
  }
  return updated
}

function rereadValue(
  scanner: TextScanner,
  { labels }: ValueSeries,
  min: number,
): ValueSeries | null {
  const value = scanner.take(',"value":') ? scanner.number() : null
  return value !== null && value >= min && scanner.take('}') ? { labels, value } : null
}

function rereadHistogram(
  scanner: TextScanner,
  { labels }: HistogramSeries,
  bounds: readonly string[],
): HistogramSeries | null {
  const buckets: Record<string, number> = {}
  let total = 0
  let mark = ',"buckets":{"'
  for (const bound of bounds) {
    const count =
      scanner.take(mark) && scanner.take(bound) && scanner.take('":') ? scanner.number() : null
    // Cumulative counts never decrease.
    if (count === null || !Number.isSafeInteger(count) || count < total) return null
    buckets[bound] = count
    total = count
    mark = ',"'
  }
  const sum = scanner.take('},"sum":') ? scanner.number() : null
  const count = scanner.take(',"count":') ? scanner.number() : null
  if (sum === null || count !== total) return null
  const exemplars = rereadExemplars(scanner, buckets)
  if (!scanner.take('}')) return null
  return { labels, buckets, sum, count, ...exemplars }
}

function rereadExemplars(
  scanner: TextScanner,
  buckets: BucketCounts,
): Pick<HistogramSeries, 'exemplars'> {
  const text = scanner.take(',"exemplars":') ? scanner.through(']]') : null
  if (text === null) return {}
  try {
    const exemplars = readExemplars(JSON.parse(text), buckets)
    return exemplars === null ? {} : { exemplars }
  } catch {
    return {}
  }
}
