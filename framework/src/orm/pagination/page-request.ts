import { InvalidArgumentException } from '../../base/errors.ts'
import type { Surface } from '../../database/surface.ts'
import { compileDeferred } from '../../database/sql/write/compile-deferred.ts'
import { compileNullableWalk } from '../../database/sql/write/compile-nullable-walk.ts'
import { compileSelect } from '../../database/sql/write/compile-select.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import { keysetBinding } from '../../database/sql/values/keyset.ts'
import type { Query } from '../../database/sql/plan/query.ts'
import type { Ordering, SeekPosition, SelectPlan } from '../../database/sql/plan/select-plan.ts'
import { completeOrder, placeNulls, refuseUnwalkable, reversedOrder } from './complete-order.ts'
import { planCount } from './count-plan.ts'
import type { CountPlan } from './count-plan.ts'
import { Counts } from './counts.ts'
import { cursorContext } from './cursor-context.ts'
import { decodeCursor } from './cursor.ts'
import { Modes } from './modes.ts'
import type { Pagination } from './pagination.ts'
import type { Reading } from '../reading.ts'
import { columnsToRead } from '../relations/columns-to-read.ts'
import type { ReadColumns } from '../rows/row-batch.ts'
import { verifyCursor } from './signed-cursor.ts'

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
  const count = isKnown ? null : planCount(source.plan, pagination, surface.dialect)
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
function countBeside({ plan, pagination, surface }: PageSource): CountPlan | null {
  const { count, knownTotal } = pagination
  const isCheap = count === Counts.Capped || count === Counts.Estimate
  return isCheap && knownTotal === null ? planCount(plan, pagination, surface.dialect) : null
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
