/** A row as the server sends it. */
export interface Row {
  readonly number: number
  readonly href: string
  readonly tone: string
  /** The texts of its cells by their names. */
  readonly texts: Readonly<Record<string, string>>
}

/** What is new, as an event or as the response to a poll. */
export interface Changes {
  /** The last change in the file. */
  readonly change: number
  /** Whether the rows replace those that are shown. */
  readonly isWhole: boolean
  readonly rows: readonly Row[]
}

/** Reads what is new; null for anything else. */
export function readChanges(document: unknown): Changes | null {
  if (!isRecord(document) || typeof document['change'] !== 'number') return null
  const { change, isWhole, rows } = document
  if (!Array.isArray(rows)) return null
  return { change, isWhole: isWhole === true, rows: rows.flatMap(readRow) }
}

function readRow(row: unknown): Row[] {
  if (!isRecord(row) || typeof row['number'] !== 'number') return []
  const { number, href, tone } = row
  const texts = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, String(value)]),
  )
  return [{ number, href: String(href), tone: String(tone), texts }]
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
