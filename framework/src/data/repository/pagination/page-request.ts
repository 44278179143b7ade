import { InvalidArgumentException } from '../../../base/errors.ts'
import type { Surface } from '../../database/surface.ts'
import { compileDeferred } from '../../sql/write/compile-deferred.ts'
import { compileSelect } from '../../sql/write/compile-select.ts'
import type { Dialect } from '../../sql/dialects/dialect.ts'
import { keysetBinding } from '../../sql/values/keyset.ts'
import type { Query } from '../../sql/plan/query.ts'
import type { Ordering, SeekPosition, SelectPlan } from '../../sql/plan/select-plan.ts'
import { completeOrder, refuseUnwalkable, reversedOrder } from './complete-order.ts'
import { planCount } from './count-plan.ts'
import type { CountPlan } from './count-plan.ts'
import { Counts } from './counts.ts'
import { cursorContext } from './cursor-context.ts'
import { decodeCursor } from './cursor.ts'
import type { AnyEntity } from '../entity/entity.ts'
import { Modes } from './modes.ts'
import type { Pagination } from './pagination.ts'
import { verifyCursor } from './signed-cursor.ts'

/** What a page is made from. */
export interface PageSource {
  readonly entity: AnyEntity
  readonly surface: Surface
  readonly pagination: Pagination
  /** What the selection says, the scope included. */
  readonly plan: SelectPlan
  /** Relations to load onto the rows. */
  readonly relations: readonly string[]
}

/** Everything one page needs from its beginning to its outcome. */
export interface PageRequest extends PageSource {
  /** The complete order, as the user sees it. */
  readonly orderings: readonly Ordering[]
  /** What signed cursors are bound to; '' when they are not signed. */
  readonly context: string
  readonly items: Query
  readonly count: CountPlan | null
}

/**
 * The queries of one page. Nothing is sent.
 * @throws InvalidArgumentException for whatever is wrong with the cursor, the order or the selection.
 */
export function requestPage(source: PageSource): PageRequest {
  const { entity, plan, pagination } = source
  refuseSlices(plan)
  const orderings = completeOrder(plan.orderings, entity)
  if (pagination.mode === Modes.Page) return requestSlice(source, orderings)
  refuseUnwalkable(plan.orderings, entity)
  return requestWalk(source, orderings)
}

function requestSlice(source: PageSource, orderings: readonly Ordering[]): PageRequest {
  const { surface, pagination } = source
  const { page, limit, deferred } = pagination
  const offset = ((page ?? 1) - 1) * limit
  const count = planCount(source.plan, pagination, surface.dialect)
  // Where the count cannot tell whether there is more, one row more than the page can.
  const rows = count?.kind === Counts.Exact ? limit : limit + 1
  const plan = { ...source.plan, orderings, limit: rows, offset }
  const isDeep = deferred !== null && offset > deferred
  return {
    ...source,
    orderings,
    context: '',
    items: isDeep ? compileDeferred(plan, surface.dialect) : compileSelect(plan, surface.dialect),
    count,
  }
}

function requestWalk(source: PageSource, orderings: readonly Ordering[]): PageRequest {
  const { pagination, surface, plan } = source
  const { dialect } = surface
  const context = pagination.signed === null ? '' : cursorContext(plan, orderings, dialect)
  const walked = pagination.before === null ? orderings : reversedOrder(orderings)
  const seek = seekPosition(pagination, walked, context, dialect)
  const limit = pagination.limit + 1
  const items = compileSelect({ ...plan, orderings: walked, seek, limit, offset: 0 }, dialect)
  return { ...source, orderings, context, items, count: null }
}

function seekPosition(
  pagination: Pagination,
  orderings: readonly Ordering[],
  context: string,
  dialect: Dialect,
): SeekPosition | null {
  const { signed } = pagination
  const token = pagination.cursor ?? pagination.before
  if (token === null) return null
  const cursor = signed === null ? token : verifyCursor(token, signed, context)
  const values = decodeCursor(cursor, orderings.length)
  return {
    orderings,
    values: orderings.map(({ column }, index) => keysetBinding(column, values[index], dialect)),
  }
}

function refuseSlices({ limit, offset, seek }: SelectPlan): void {
  const own = limit !== null ? 'limit' : offset > 0 ? 'offset' : seek !== null ? 'seek' : null
  if (own === null) return
  throw new InvalidArgumentException(
    'E_PAGINATION',
    `the selection has ${own}() of its own, which the pagination decides; leave it out`,
  )
}
