import { InvalidArgumentException } from '../base/errors.ts'
import { isPlainRecord } from '../base/is-record.ts'
import { boundsOf, unbounded } from './buckets.ts'
import { keepParts, roundParts } from './exact-sum.ts'
import { labelCache } from './label-cache.ts'
import type { ReadLabels } from './label-cache.ts'
import { isMerge } from './metric.ts'
import { readStatements } from './slowest-statements.ts'
import type { StatementStats } from './slowest-statements.ts'
import { isMetricName } from './metric-name.ts'
import type {
  BucketCounts,
  Exemplar,
  Exemplars,
  HistogramSeries,
  Metric,
  ValueSeries,
} from './metric.ts'

/** The valid contents of a decoded document. */
export interface SnapshotDocument {
  readonly timestamp: number
  readonly metrics: readonly (readonly [name: string, metric: Metric])[]
  /** Names of files whose values are already included. */
  readonly retired: readonly string[]
  /** The slowest statements of the process; they are not metrics: labels must not be unlimited. */
  readonly statements: readonly StatementStats[]
}

/**
 * Validates a document `{ timestamp, metrics }` from outside: invalid metrics and series and unknown
 * members are left out. Pass `readLabels` for documents that are read repeatedly.
 * @throws InvalidArgumentException (E_SNAPSHOT) when it is not such a document.
 */
export function readDocument(
  document: unknown,
  readLabels: ReadLabels = labelCache(),
): SnapshotDocument {
  if (!isPlainRecord(document)) return refuseDocument('must be an object')
  const { timestamp, metrics, retired, statements } = document
  if (!isFiniteNumber(timestamp)) return refuseDocument('needs a timestamp in epoch seconds')
  if (!isPlainRecord(metrics)) return refuseDocument('needs an object with its metrics by name')
  return {
    timestamp,
    metrics: Object.entries(metrics).flatMap(([name, value]) => {
      const metric = isMetricName(name) ? readMetric(value, readLabels) : null
      return metric === null || metric.series.length === 0 ? [] : [[name, metric] as const]
    }),
    retired: Array.isArray(retired) ? retired.filter((name) => typeof name === 'string') : [],
    statements: readStatements(statements),
  }
}

function readMetric(value: unknown, labelsOf: ReadLabels): Metric | null {
  if (!isPlainRecord(value) || !Array.isArray(value['series'])) return null
  const { type, merge } = value
  const help = typeof value['help'] === 'string' ? value['help'] : ''
  const series: unknown[] = value['series']
  switch (type) {
    case 'counter':
    case 'gauge': {
      const min = type === 'counter' ? 0 : -Infinity
      const mode = isMerge(merge) && merge !== 'sum' ? { merge } : {}
      return {
        type,
        help,
        ...mode,
        series: readSeries(series, (one) => readValue(one, min, labelsOf)),
      }
    }
    case 'histogram':
      return { type, help, series: readSeries(series, histogramReader(labelsOf)) }
    default:
      return null
  }
}

function readSeries<Series>(
  list: readonly unknown[],
  read: (value: Readonly<Record<string, unknown>>) => Series | null,
): Series[] {
  const series: Series[] = []
  for (const value of list) {
    const one = isPlainRecord(value) ? read(value) : null
    if (one !== null) series.push(one)
  }
  return series
}

function readValue(
  given: Readonly<Record<string, unknown>>,
  min: number,
  labelsOf: ReadLabels,
): ValueSeries | null {
  const labels = labelsOf(given['labels'])
  const { value } = given
  if (labels === null || !isFiniteNumber(value) || value < min) return null
  return withParts({ labels, value }, given['parts'], value)
}

/** Reads the histograms of one metric, which usually all have the same bounds. */
function histogramReader(
  labelsOf: ReadLabels,
): (given: Readonly<Record<string, unknown>>) => HistogramSeries | null {
  let bounds: readonly string[] = []
  return (given) => {
    const labels = labelsOf(given['labels'])
    const { buckets: counts, sum, count } = given
    if (labels === null || Object.hasOwn(labels, 'le') || !isPlainRecord(counts)) return null
    if (Object.keys(counts).length !== bounds.length || !bounds.every((one) => one in counts)) {
      bounds = [...boundsOf(counts).filter(isCanonical), unbounded]
    }
    const buckets = readBuckets(counts, bounds)
    const total = buckets?.[unbounded]
    if (buckets === null || total === undefined || total !== count) return null
    if (!isFiniteNumber(sum)) return null
    const exemplars = readExemplars(given['exemplars'], buckets)
    const more = exemplars === null ? {} : { exemplars }
    return withParts({ labels, buckets, sum, count: total, ...more }, given['parts'], sum)
  }
}

const traceIdForm = /^[0-9a-f]{32}$/
const spanIdForm = /^[0-9a-f]{16}$/

/** The valid exemplars that belong to one of the buckets; null without any. */
function readExemplars(given: unknown, buckets: BucketCounts): Exemplars | null {
  if (!Array.isArray(given)) return null
  const exemplars: Record<string, Exemplar> = {}
  for (const list of given) {
    const [bound, value, timestamp, traceId, spanId] = Array.isArray(list) ? list : []
    if (typeof bound !== 'string' || !Object.hasOwn(buckets, bound)) continue
    if (!isFiniteNumber(value) || !isFiniteNumber(timestamp)) continue
    if (!isId(traceId, traceIdForm) || !isId(spanId, spanIdForm)) continue
    exemplars[bound] = { value, timestamp, traceId, spanId }
  }
  return Object.keys(exemplars).length === 0 ? null : exemplars
}

function isId(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value)
}

/** Records the exact sum from the document if it rounds to the number of the series. */
function withParts<Series extends object>(series: Series, given: unknown, rounded: number): Series {
  if (!Array.isArray(given)) return series
  const parts = given.filter(isFiniteNumber)
  return roundParts(parts) === rounded ? keepParts(series, parts) : series
}

/** The counts by bound; null when they decrease or do not match the bounds. */
function readBuckets(
  counts: Readonly<Record<string, unknown>>,
  bounds: readonly string[],
): BucketCounts | null {
  if (Object.keys(counts).length !== bounds.length) return null
  const buckets: Record<string, number> = {}
  let total = 0
  for (const bound of bounds) {
    const count = counts[bound]
    if (!isCount(count) || count < total) return null
    buckets[bound] = count
    total = count
  }
  return buckets
}

/** Whether a bound is written in the form that we use. */
function isCanonical(bound: string): boolean {
  return Number.isFinite(Number(bound)) && String(Number(bound)) === bound
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function refuseDocument(problem: string): never {
  throw new InvalidArgumentException('E_SNAPSHOT', `a snapshot document ${problem}`)
}
