/** A row as the server sends it. */
export interface Row {
  readonly number: number
  readonly href: string
  readonly tone: string
  /** The texts of its cells by their names. */
  readonly texts: Readonly<Record<string, string>>
}

/** The answer to a poll. */
export interface Changes {
  /** The last change in the file. */
  readonly change: number
  readonly rows: readonly Row[]
}

/** Reads the answer to a poll; null for anything else. */
export function readChanges(answer: unknown): Changes | null {
  if (!isRecord(answer) || typeof answer['change'] !== 'number') return null
  const { change, rows } = answer
  return Array.isArray(rows) ? { change, rows: rows.flatMap(readRow) } : null
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
