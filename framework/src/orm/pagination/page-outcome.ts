import { keysetValue } from '../../database/sql/values/keyset.ts'
import { Counts } from './counts.ts'
import { encodeCursor } from './cursor.ts'
import type { RawRow } from '../rows/hydrate-rows.ts'
import { Modes } from './modes.ts'
import type { PageRequest } from './page-request.ts'
import type { PaginationOutcome } from './pagination.ts'
import { signCursor } from './signed-cursor.ts'

/** The raw rows of a page, in the order of the user. */
export interface PageRows {
  readonly rows: readonly RawRow[]
  /** Whether there was a probe row after them. */
  readonly more: boolean
}

/** Removes the probe row and notes whether there was one. */
export function pageRows({ pagination }: PageRequest, fetched: readonly RawRow[]): PageRows {
  const { mode, limit, before } = pagination
  const more = fetched.length > limit
  const rows = more ? fetched.slice(0, limit) : fetched
  return { rows: mode === Modes.Cursor && before !== null ? rows.toReversed() : rows, more }
}

/** The outcome of a page; `counted` is the result of the COUNT. */
export function pageOutcome(
  request: PageRequest,
  { rows, more }: PageRows,
  counted: number | null,
): Partial<PaginationOutcome> {
  if (request.pagination.mode === Modes.Page) return sliceOutcome(request, rows, more, counted)
  const outcome = walkOutcome(request, rows, more)
  const isCounted = counted !== null || request.pagination.knownTotal !== null
  return isCounted ? { ...outcome, ...walkTotal(request, counted) } : outcome
}

function sliceOutcome(
  { pagination, count }: PageRequest,
  rows: readonly RawRow[],
  more: boolean,
  counted: number | null,
): Partial<PaginationOutcome> {
  const { page, limit, cap, knownTotal } = pagination
  const given = knownTotal ?? counted
  if (given === null) return { more }
  if (count?.kind === Counts.Exact && counted !== null) {
    const pages = Math.ceil(counted / limit)
    return { total: counted, pages, more: (page ?? 1) < pages }
  }
  const offset = ((page ?? 1) - 1) * limit
  const seen = offset + rows.length
  // The page with the last row knows the total better than any cap or estimate.
  const isLast = !more && (rows.length > 0 || offset === 0)
  const isBeyond = !more && !isLast
  const isCapped = count?.kind === Counts.Capped && given > cap
  const guess = isCapped ? cap : given
  const total = isLast ? seen : isBeyond ? Math.min(guess, offset) : Math.max(guess, seen + 1)
  const isGuess = count?.kind === Counts.Estimate || isCapped
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
  // Walking backward, the row where the walk started comes after the page.
  const hasNext = before === null ? more : true
  const hasPrevious = before === null ? cursor !== null && backward : more
  return {
    more,
    next: hasNext ? cursorOf(request, last) : null,
    previous: hasPrevious ? cursorOf(request, first) : null,
  }
}

function walkTotal(
  { pagination: { knownTotal, cap }, count }: PageRequest,
  counted: number | null,
): Partial<PaginationOutcome> {
  if (knownTotal !== null) return { total: knownTotal }
  if (counted === null || count === null) return {}
  const isCapped = count.kind === Counts.Capped && counted > cap
  return {
    total: isCapped ? cap : counted,
    approximate: isCapped || count.kind === Counts.Estimate,
  }
}

function cursorOf(
  { plan, orderings, surface, pagination, context }: PageRequest,
  row: RawRow,
): string {
  const { nulls } = pagination
  const values = orderings.map(({ column }) => {
    const raw = row[plan.columns.indexOf(column)]
    return nulls && column.isNullable && raw === null
      ? null
      : keysetValue(column, raw, surface.dialect)
  })
  const token = encodeCursor(values, nulls)
  return pagination.signed === null ? token : signCursor(token, pagination.signed, context)
}
