import { trimZeros, withDigits, formatValue, formatDuration } from './format-value.ts'
import { quantile } from './quantile.ts'
import { isFiniteNumber, isRecord, seriesOf } from './sample.ts'
import type { Sample, Series } from './sample.ts'
import { addGrowths, routeDurations, routeName } from './step.ts'
import type { RouteGrowth, Step } from './step.ts'

/** Numbers shown as text at the top; a dash if not measured. */
interface Facts {
  readonly workers: string
  /** How long the oldest worker has run. */
  readonly uptime: string
  readonly requests: string
  readonly exceptions: string
}

export function factsOf(sample: Sample): Facts {
  const uptimes = seriesOf(sample, 'process_uptime_seconds').map(({ value }) => value)
  return {
    workers: uptimes.length === 0 ? '–' : exactNumber(uptimes.length),
    uptime: uptimes.length === 0 ? '–' : formatDuration(Math.max(...uptimes)),
    requests: totalText(sample, 'http_requests_total'),
    exceptions: totalText(sample, 'exceptions_total'),
  }
}

/** The sum of all series of a counter. */
function totalText(sample: Sample, name: string): string {
  const series = seriesOf(sample, name)
  if (series.length === 0) return '–'
  return exactNumber(series.reduce((total, { value }) => total + value, 0))
}

/** A row of a table that can be sorted: what its cells show, and what each column sorts by. */
export interface RankedRow {
  readonly texts: readonly string[]
  /** By column; null is sorted last. */
  readonly keys: readonly (string | number | null)[]
}

/** The column by which a table is sorted. */
export interface Sorting {
  readonly column: number
  readonly descending: boolean
}

/** Every route that was ever used: its rate, percentiles and share of failures over the weighted steps. */
export function routeRows(
  sample: Sample,
  steps: readonly Step[],
  weights: readonly number[],
): RankedRow[] {
  let seconds = 0
  const totals = new Map<string, RouteGrowth>()
  for (const [at, step] of steps.entries()) {
    const weight = weights[at] ?? 0
    seconds += step.seconds * weight
    for (const [name, grown] of step.routes) {
      totals.set(name, addGrowths(totals.get(name), grown, weight))
    }
  }
  const names = new Set(seriesOf(sample, routeDurations).map(routeName))
  return [...names].map((name) => routeRow(name, totals.get(name), seconds))
}

/** One row; its numbers are unknown before the second sample. */
function routeRow(name: string, grown: RouteGrowth | undefined, seconds: number): RankedRow {
  const buckets = grown?.buckets ?? new Map<string, number>()
  const count = buckets.get('+Inf') ?? 0
  const rate = seconds > 0 ? count / seconds : null
  const failed = count > 0 ? (grown?.failed ?? 0) / count : null
  const [p50, p99] = [quantile(buckets, 0.5), quantile(buckets, 0.99)]
  return {
    texts: [
      name,
      formatValue(rate, 'per-second'),
      formatValue(p50, 'seconds'),
      formatValue(p99, 'seconds'),
      formatValue(failed, 'share'),
    ],
    keys: [name, rate, p50, p99, failed],
  }
}

/** The rows for the JSON of /metrics/statements; null if it is something else. */
export function statementRows(document: unknown): RankedRow[] | null {
  const list: unknown = isRecord(document) ? document['statements'] : null
  return Array.isArray(list) ? list.flatMap(statementRow) : null
}

/** An array with the row, or an empty one. The second text is the caller, below the statement. */
function statementRow(given: unknown): RankedRow[] {
  if (!isRecord(given)) return []
  const { statement, count, total, max, caller } = given
  if (!isFiniteNumber(count) || !isFiniteNumber(total) || !isFiniteNumber(max)) return []
  const text = String(statement)
  const mean = count > 0 ? total / count : null
  return [
    {
      texts: [
        text,
        typeof caller === 'string' ? caller : '',
        exactNumber(count),
        formatValue(mean, 'seconds'),
        formatValue(max, 'seconds'),
      ],
      keys: [text, count, mean, max],
    },
  ]
}

/** The first rows of the sorted table, at most `most`. */
export function topRows(
  rows: readonly RankedRow[],
  { column, descending }: Sorting,
  most: number,
): readonly RankedRow[] {
  const sorted = rows.toSorted((one, other) => {
    const [a, b] = [one.keys[column] ?? null, other.keys[column] ?? null]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return descending ? compare(b, a) : compare(a, b)
  })
  return sorted.slice(0, most)
}

/** The sorting after a click on a header: the other way round, or by another column, numbers from the top. */
export function nextSorting(before: Sorting, column: number): Sorting {
  if (before.column === column) return { column, descending: !before.descending }
  return { column, descending: column > 0 }
}

/** How many rows are shown; empty if all are. */
export function shownText(shown: number, all: number, what: string): string {
  return shown === all ? '' : 'The first ' + shown + ' of ' + all + ' ' + what + '.'
}

/** Below 0 if `a` comes before `b`. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b), 'en')
}

/** The rows of the table of all series. */
export interface SeriesRows {
  /** Name, labels and value of the shown series. */
  readonly rows: readonly (readonly string[])[]
  /** How many series match the search. */
  readonly found: number
  readonly all: number
}

/** The series whose name and labels contain every word of `search`, ignoring case; at most `most`. */
export function seriesRows(sample: Sample, search: string, most: number): SeriesRows {
  const words = search.toLowerCase().split(/\s+/)
  const rows: string[][] = []
  let found = 0
  let all = 0
  for (const [name, list] of sample.metrics) {
    for (const series of list) {
      all += 1
      const text = (name + ' ' + series.key).toLowerCase()
      if (!words.every((word) => text.includes(word))) continue
      found += 1
      if (rows.length < most) rows.push([name, series.key, seriesValue(series)])
    }
  }
  return { rows, found, all }
}

/** The exact value of a series; for a histogram its count and sum. */
export function seriesValue({ value, sum, buckets }: Series): string {
  if (buckets === null) return exactNumber(value)
  return exactNumber(value) + ' observed, sum ' + exactNumber(sum)
}

/** The number of series as text. */
export function countText({ rows, found, all }: SeriesRows): string {
  if (rows.length < found) {
    return 'The first ' + rows.length + ' of ' + found + ' series: search to see others'
  }
  return found === all ? all + ' series' : found + ' of ' + all + ' series'
}

/** A number with thousands separators and up to six decimals. */
export function exactNumber(value: number): string {
  const size = Math.abs(value)
  if (size > 0 && size < 1e-3) return value.toPrecision(3)
  return trimZeros(withDigits(value, 6))
}
