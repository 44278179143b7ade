import { boundsOf, unbounded } from './buckets.ts'
import { metricHead } from './exporters/json.ts'
import { labelJson } from './labels.ts'
import type { HistogramSeries, Metric, ValueSeries } from './metric.ts'
import type { SnapshotDocument } from './read-document.ts'
import { TextScanner } from './text-scanner.ts'

/**
 * Reads a text that says what the documents said, but for the numbers: a worker writes the same
 * series again and again. Gives the documents anew, one at a time, and null at the place from which
 * on the text differs in anything else; then all of it has to be parsed.
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
    const anew = fits ? rereadMetrics(scanner, metrics, last) : null
    // What says more than metrics is not written again and again.
    fits = anew !== null && retired.length === 0
    if (timestamp === null || anew === null || !fits) break
    yield { timestamp, metrics: anew, retired }
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
  const anew: (readonly [string, Metric])[] = []
  for (const [name, metric] of before) {
    if (!takeOpening(scanner, name, metric, anew.at(-1)?.[0] ?? last)) return null
    const metricAnew = reread(scanner, metric)
    if (metricAnew === null) return null
    anew.push([name, metricAnew])
  }
  return anew
}

/** A metric that was cut between two documents goes on without a head. */
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
  const least = metric.type === 'counter' ? 0 : -Infinity
  const series = rereadAll(scanner, metric.series, (scanning, one) =>
    rereadValue(scanning, one, least),
  )
  return series && { ...metric, series }
}

function rereadAll<Series extends ValueSeries | HistogramSeries>(
  scanner: TextScanner,
  before: readonly Series[],
  read: (scanner: TextScanner, one: Series) => Series | null,
): Series[] | null {
  const anew: Series[] = []
  for (const one of before) {
    if (anew.length > 0 && !scanner.take(',')) return null
    if (!scanner.take('{"labels":') || !scanner.take(labelJson(one.labels))) return null
    const series = read(scanner, one)
    if (series === null) return null
    anew.push(series)
  }
  return anew
}

function rereadValue(
  scanner: TextScanner,
  { labels }: ValueSeries,
  least: number,
): ValueSeries | null {
  const value = scanner.take(',"value":') ? scanner.number() : null
  return value !== null && value >= least && scanner.take('}') ? { labels, value } : null
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
    // Counts never fall from bound to bound.
    if (count === null || !Number.isSafeInteger(count) || count < total) return null
    buckets[bound] = count
    total = count
    mark = ',"'
  }
  const sum = scanner.take('},"sum":') ? scanner.number() : null
  const count = scanner.take(',"count":') ? scanner.number() : null
  if (sum === null || count !== total || !scanner.take('}')) return null
  return { labels, buckets, sum, count }
}
