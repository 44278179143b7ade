/** A value of a cell. A `Date` is written as ISO 8601, null and undefined as nothing. */
export type CsvValue = string | number | bigint | boolean | Date | null | undefined

/** The columns of a CSV file in their order: a heading, and what a row has there. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvValue>>

/** Options of `response.csv`. */
export interface CsvOptions {
  /** The name under which browsers save it. @default they show it, or choose one */
  readonly download?: string
}

/** Bytes of a chunk, about. */
const chunkSize = 16_384

/** Rows as CSV (RFC 4180) in chunks of some lines, with a line of headings. */
export async function* csvChunks<Row>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  columns: CsvColumns<Row>,
): AsyncGenerator<string, void, undefined> {
  const values = Object.values(columns)
  let chunk = lineOf(Object.keys(columns))
  for await (const row of rows) {
    chunk += lineOf(values.map((value) => value(row)))
    if (chunk.length < chunkSize) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

function lineOf(values: readonly CsvValue[]): string {
  return `${values.map(cellOf).join(',')}\r\n`
}

function cellOf(value: CsvValue): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'string') return String(value)
  const text = isFormula.test(value) && !isNumber.test(value) ? `'${value}` : value
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// Spreadsheets run such a text as a formula, which may send what else is in the sheet to somebody.
const isFormula = /^[=+\-@\t\r]/
const isNumber = /^[+-]?\d+(?:[.,]\d+)?$/
const needsQuotes = /[",\r\n]|^\s|\s$/
