import { trimZeros, withDigits } from './format-value.ts'
import type { Sample, Series } from './sample.ts'

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

/** A number with thousands separators and up to six decimals. */
export function exactNumber(value: number): string {
  const size = Math.abs(value)
  if (size > 0 && size < 1e-3) return value.toPrecision(3)
  return trimZeros(withDigits(value, 6))
}

/** The number of series as text. */
export function countText({ rows, found, all }: SeriesRows): string {
  if (rows.length < found) {
    return 'The first ' + rows.length + ' of ' + found + ' series: search to see others'
  }
  return found === all ? all + ' series' : found + ' of ' + all + ' series'
}
