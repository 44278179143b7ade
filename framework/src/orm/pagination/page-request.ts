import { FrameworkError, InvalidArgumentException } from '../../base/errors.ts'
import type { Surface } from '../../database/surface.ts'
import {
  compileCount,
  compileDeferred,
  compileSelect,
} from '../../database/sql/write/compile-select.ts'
import { compileNullableWalk } from '../../database/sql/write/compile-nullable-walk.ts'
import type { Dialect, RowEstimate } from '../../database/sql/dialects/dialect.ts'
import { keysetBinding } from '../../database/sql/values/keyset.ts'
import type { Query } from '../../database/sql/plan/statement.ts'
import type { Ordering, SeekPosition, SelectPlan } from '../../database/sql/plan/select-plan.ts'
import type { Result } from '../../database/operation.ts'
import type { Reading } from '../reading.ts'
import { columnsToRead } from '../rows/hydrate-rows.ts'
import type { ReadColumns } from '../rows/hydrate-rows.ts'
import { completeOrder, placeNulls, refuseUnwalkable, reversedOrder } from './complete-order.ts'
import { Counts, Modes } from './pagination.ts'
import type { Pagination } from './pagination.ts'
import { cursorContext, decodeCursor, verifyCursor } from './cursor.ts'

/** The inputs of a page. */
export interface PageSource extends Reading {
  readonly surface: Surface
  readonly pagination: Pagination
}

/** Everything one page needs, up to its outcome. */
export interface PageRequest extends PageSource {
  readonly read: ReadColumns
  /** The complete order, as the user sees it. */
  readonly orderings: readonly Ordering[]
  /** The text that signed cursors are bound to; '' if they are not signed. */
  readonly context: string
  readonly items: Query
  readonly count: CountPlan | null
}

/**
 * Builds the queries of one page without sending them.
 * @throws InvalidArgumentException for an invalid cursor, order or selection.
 */
export function requestPage(source: PageSource): PageRequest {
  const { entity, plan, pagination } = source
  refuseSlices(plan)
  const orderings = completeOrder(plan.orderings, entity, plan.isDistinct ? plan.columns : null)
  const read = columnsToRead(source, orderings)
  const reading = { ...source, read, plan: { ...plan, columns: read.read } }
  if (pagination.mode === Modes.Page) return requestSlice(reading, orderings)
  const { nulls } = pagination
  refuseUnwalkable(plan.isDistinct ? orderings : plan.orderings, entity, nulls)
  return requestWalk(reading, nulls ? placeNulls(orderings) : orderings)
}

type PageReading = PageSource & Pick<PageRequest, 'read'>

function requestSlice(source: PageReading, orderings: readonly Ordering[]): PageRequest {
  const { surface, pagination } = source
  const { page, limit, deferred } = pagination
  const offset = ((page ?? 1) - 1) * limit
  const isKnown = pagination.knownTotal !== null
  const count = isKnown ? null : planCount(source)
  // A total that is not counted exactly now cannot tell whether there is more; an extra row can.
  const rows = count?.kind === Counts.Exact ? limit : limit + 1
  const plan = { ...source.plan, orderings, limit: rows, offset }
  const isDeep = deferred !== null && offset > deferred
  return {
    ...source,
    orderings,
    context: '',
    items: isDeep
      ? compileDeferred(plan, surface.dialect, source.entity.keys)
      : compileSelect(plan, surface.dialect),
    count,
  }
}

function requestWalk(source: PageReading, orderings: readonly Ordering[]): PageRequest {
  const { pagination, surface, plan } = source
  const { dialect } = surface
  const context = pagination.signed === null ? '' : signedContext(source, orderings)
  const walked = pagination.before === null ? orderings : reversedOrder(orderings)
  const seek = seekPosition(pagination, walked, context, dialect)
  const limit = pagination.limit + 1
  const page = { ...plan, orderings: walked, seek, limit, offset: 0 }
  const isNullable = pagination.nulls && walked.some(({ column }) => column.isNullable)
  const items = isNullable ? compileNullableWalk(page, dialect) : compileSelect(page, dialect)
  return { ...source, orderings, context, items, count: countBeside(source) }
}

function signedContext(
  { plan, pagination: { boundTo }, surface }: PageSource,
  orderings: readonly Ordering[],
): string {
  const context = cursorContext(plan, orderings, surface.dialect)
  return boundTo === '' ? context : `${boundTo}\0${context}`
}

// A cursor exists so that nobody has to count all rows: only counts that do not are made.
function countBeside(source: PageSource): CountPlan | null {
  const { count, knownTotal } = source.pagination
  const isCheap = count === Counts.Capped || count === Counts.Estimate
  return isCheap && knownTotal === null ? planCount(source) : null
}

function seekPosition(
  pagination: Pagination,
  orderings: readonly Ordering[],
  context: string,
  dialect: Dialect,
): SeekPosition | null {
  const { signed, formerKeys } = pagination
  const token = pagination.cursor ?? pagination.before
  if (token === null) return null
  const cursor = signed === null ? token : verifyCursor(token, [signed, ...formerKeys], context)
  const values = decodeCursor(cursor, orderings.length, pagination.nulls)
  return {
    orderings,
    values: orderings.map(({ column }, index) => boundValue(column, values[index], dialect)),
  }
}

// Without `nulls` no cursor with NULL gets here.
function boundValue(column: Ordering['column'], scalar: unknown, dialect: Dialect): unknown {
  return scalar === null && column.isNullable ? null : keysetBinding(column, scalar, dialect)
}

function refuseSlices({ limit, offset, seek }: SelectPlan): void {
  const own = limit !== null ? 'limit' : offset > 0 ? 'offset' : seek !== null ? 'seek' : null
  if (own === null) return
  throw new InvalidArgumentException(
    'E_PAGINATION',
    `the selection has its own ${own}(), which is up to the pagination; remove it`,
  )
}

/** How to count the rows of a plan: the query, and how to read its result. */
interface CountPlan {
  readonly query: Query
  /** The kind of the result; without support for estimates, `Estimate` becomes `Exact`. */
  readonly kind: Counts
  readonly read: (result: Result) => number
}

/** How to count the rows of a plan, or null if nothing is counted. */
function planCount({ plan, pagination, surface: { dialect } }: PageSource): CountPlan | null {
  const { count, cap } = pagination
  if (count === Counts.None) return null
  if (count === Counts.Capped) {
    const { sql, parameters } = compileSelect({ ...restriction(plan), limit: cap + 1 }, dialect)
    const query = { sql: `SELECT COUNT(*) AS total FROM (${sql}) AS counted`, parameters }
    return { query, kind: count, read: readTotal }
  }
  if (count === Counts.Estimate && dialect.estimate !== null) {
    const { estimate } = dialect
    const { sql, parameters } = compileSelect(restriction(plan), dialect)
    const query = { sql: `${estimate.explain} ${sql}`, parameters }
    return { query, kind: count, read: (result) => readEstimate(result, estimate) }
  }
  return { query: compileCount(plan, dialect), kind: Counts.Exact, read: readTotal }
}

function restriction(plan: SelectPlan): SelectPlan {
  const columns = plan.columns.slice(0, 1)
  return { ...plan, columns, orderings: [], seek: null, limit: null, offset: 0, lock: null }
}

/** The number of rows that the planner expects; 0 if it gives none. */
export function readEstimate({ rows: [row] }: Result, { read }: RowEstimate): number {
  const estimate = read(row)
  return Number.isFinite(estimate) ? Math.max(0, Math.round(estimate)) : 0
}

// Drivers return a 64-bit count as a bigint or as digits; users get a number.
function readTotal({ rows: [row] }: Result): number {
  const cell: unknown = Array.isArray(row) ? row[0] : Object.values(row ?? {})[0]
  const total = Number(cell)
  if (Number.isSafeInteger(total)) return total
  throw new FrameworkError('E_INTEGER_RANGE', 'the result of a COUNT(*) is not a number')
}
