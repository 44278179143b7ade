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
export function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b), 'en')
}
