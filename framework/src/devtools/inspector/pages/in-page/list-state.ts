/** A row as the server sends it. */
export interface Row {
  readonly number: number
  readonly href: string
  readonly tone: string
  /** The texts of its cells by their names. */
  readonly texts: Readonly<Record<string, string>>
}

/** What is new, as an event or as the answer to a poll. */
export interface Changes {
  /** The last change in the file. */
  readonly change: number
  /** Whether the rows replace those that are shown. */
  readonly isWhole: boolean
  readonly rows: readonly Row[]
}

/** Reads what is new; null for anything else. */
export function readChanges(answer: unknown): Changes | null {
  if (!isRecord(answer) || typeof answer['change'] !== 'number') return null
  const { change, isWhole, rows } = answer
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

/** Seconds until the next poll, longer and longer while the server does not respond. */
export function nextDelay(failures: number): number {
  return Math.min(10, failures === 0 ? 1 : 2 ** failures)
}
