import { trimZeros, withDigits, formatValue, formatDuration } from './format-value.ts'
import { bucketsOf, quantile, valuesBelow } from './rates.ts'
import { isFiniteNumber, isRecord } from './sample.ts'
import type { Sample, Series } from './sample.ts'

/** The numbers shown as text at the top, by their ids; a dash if not measured. */
export function factsOf({ gauges, counters }: Sample): Readonly<Record<string, string>> {
  const uptimes = [...valuesBelow(gauges, 'uptime ').values()]
  const total = (key: string): string => exactNumber(counters.get(key) ?? null)
  return {
    workers: exactNumber(uptimes.length || null),
    // That of the oldest worker.
    uptime: uptimes.length === 0 ? '–' : formatDuration(Math.max(...uptimes)),
    requests: total('requests'),
    exceptions: total('exceptions'),
  }
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

/** Every route that was ever used: its rate, percentiles and share of failures. */
export function routeRows(
  { counters }: Pick<Sample, 'counters'>,
  rates: ReadonlyMap<string, number>,
): RankedRow[] {
  const known = bucketsOf(rates)
  const unused = new Map(rates.size === 0 ? [] : [['+Inf', 0]])
  const keys = new Set([...bucketsOf(counters).keys(), ...known.keys()])
  const routes = [...keys].filter((key) => key.startsWith('route '))
  return routes.map((key) => routeRow(key.slice('route '.length), known.get(key) ?? unused))
}

/** One row; its numbers are unknown before the second sample. */
function routeRow(name: string, rates: ReadonlyMap<string, number>): RankedRow {
  const rate = rates.get('+Inf') ?? null
  const failed = rate === null || rate === 0 ? null : (rates.get('5xx') ?? 0) / rate
  const [p50, p99] = [quantile(rates, 0.5), quantile(rates, 0.99)]
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
export function seriesRows({ series }: Sample, search: string, most: number): SeriesRows {
  const words = search.toLowerCase().split(/\s+/)
  const found = series.filter(({ metric, labels }) => {
    const text = (metric + ' ' + labels).toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const rows = found.slice(0, most).map((one) => [one.metric, one.labels, seriesValue(one)])
  return { rows, found: found.length, all: series.length }
}

/** The exact value of a series; for a histogram its count and sum. */
function seriesValue({ value, sum }: Series): string {
  return sum === null
    ? exactNumber(value)
    : exactNumber(value) + ' observed, sum ' + exactNumber(sum)
}

/** The number of series as text. */
export function countText({ rows, found, all }: SeriesRows): string {
  if (rows.length < found) {
    return 'The first ' + rows.length + ' of ' + found + ' series: search to see others'
  }
  return found === all ? all + ' series' : found + ' of ' + all + ' series'
}

/** A number with thousands separators and up to six decimals; a dash for null. */
export function exactNumber(value: number | null): string {
  if (value === null) return '–'
  const size = Math.abs(value)
  if (size > 0 && size < 1e-3) return value.toPrecision(3)
  return trimZeros(withDigits(value, 6))
}
