import { keysetValue } from '../sql/keyset.ts'
import { Counts } from './counts.ts'
import { encodeCursor } from './cursor.ts'
import type { RawRow } from './hydrate-rows.ts'
import { Modes } from './modes.ts'
import type { PageRequest } from './page-request.ts'
import type { PaginationOutcome } from './pagination.ts'
import { signCursor } from './signed-cursor.ts'

/** The rows of a page and its outcome. */
export interface PageOutcome {
  readonly rows: readonly RawRow[]
  readonly outcome: Partial<PaginationOutcome>
}

/** Takes the probe row away and says what it tells; `counted` is what the COUNT found. */
export function pageOutcome(
  request: PageRequest,
  came: readonly RawRow[],
  counted: number | null,
): PageOutcome {
  const { mode, limit, before } = request.pagination
  const more = came.length > limit
  const rows = more ? came.slice(0, limit) : came
  if (mode === Modes.Page) return { rows, outcome: sliceOutcome(request, rows, more, counted) }
  const inOrder = before === null ? rows : rows.toReversed()
  return { rows: inOrder, outcome: walkOutcome(request, inOrder, more) }
}

function sliceOutcome(
  { pagination, count }: PageRequest,
  rows: readonly RawRow[],
  more: boolean,
  counted: number | null,
): Partial<PaginationOutcome> {
  const { page, limit, cap } = pagination
  if (counted === null || count === null) return { more }
  if (count.kind === Counts.Exact) {
    const pages = Math.ceil(counted / limit)
    return { total: counted, pages, more: (page ?? 1) < pages }
  }
  const offset = ((page ?? 1) - 1) * limit
  const seen = offset + rows.length
  // A page that holds the last row knows the total better than any cap or estimate.
  const isLast = !more && (rows.length > 0 || offset === 0)
  const isBeyond = !more && !isLast
  const isCapped = count.kind === Counts.Capped && counted > cap
  const guess = isCapped ? cap : counted
  const total = isLast ? seen : isBeyond ? Math.min(guess, offset) : Math.max(guess, seen + 1)
  const isGuess = count.kind === Counts.Estimate || isCapped
  return { total, pages: Math.ceil(total / limit), more, approximate: !isLast && isGuess }
}

function walkOutcome(
  request: PageRequest,
  rows: readonly RawRow[],
  more: boolean,
): Partial<PaginationOutcome> {
  const { cursor, before, backward } = request.pagination
  const first = rows[0]
  const last = rows.at(-1)
  if (first === undefined || last === undefined) return { more }
  // Walking back, the row the walk came from stands behind the page.
  const hasNext = before === null ? more : true
  const hasPrevious = before === null ? cursor !== null && backward : more
  return {
    more,
    next: hasNext ? cursorOf(request, last) : null,
    previous: hasPrevious ? cursorOf(request, first) : null,
  }
}

function cursorOf(
  { plan, orderings, surface, pagination, context }: PageRequest,
  row: RawRow,
): string {
  const values = orderings.map(({ column }) =>
    keysetValue(column, row[plan.columns.indexOf(column)], surface.dialect),
  )
  const token = encodeCursor(values)
  return pagination.signed === null ? token : signCursor(token, pagination.signed, context)
}
