import type { Surface } from '../../database/surface.ts'
import { checkedSelection, Selection } from '../selection.ts'
import type { AnySelection, OrderKind, Scope } from '../selection.ts'
import type { AnyEntity } from '../entity/entity.ts'
import type { RowOf, SelectedRow } from '../entity/row.ts'
import { refuseLoneLock } from '../reading.ts'
import { checkedScope } from '../selection-arguments.ts'
import { awaitPagination, Paginated } from './paginated.ts'
import type { Mapped } from './paginated.ts'
import { requestPage } from './page-request.ts'
import type { PageRequest, PageSource } from './page-request.ts'
import { Pagination } from './pagination.ts'

/**
 * Sends the queries of one page: in page mode the items and their COUNT together, in cursor mode
 * the items alone. On a serial surface the COUNT is deferred to hydration.
 * @throws InvalidArgumentException for invalid arguments, before anything is sent.
 */
export function startPagination<E extends AnyEntity, Loaded = unknown, Columns = RowOf<E>>(
  entity: E,
  surface: Surface,
  selection?: Selection<E, Loaded, OrderKind, Columns> | null,
  pagination?: Pagination | null,
  scope?: Scope<E> | null,
): Paginated<SelectedRow<Loaded, Columns>> {
  const source = pageSource(entity, surface, selection, pagination, scope)
  return dispatchPage(requestPage(source))
}

/** The inputs of a page. The selection is cloned, so the scope does not change the original. */
export function pageSource<E extends AnyEntity>(
  entity: E,
  surface: Surface,
  selection?: AnySelection<E> | null,
  pagination?: Pagination | null,
  scope?: Scope<E> | null,
): PageSource {
  const given = selection ?? new Selection(entity, surface.dialect)
  const own = checkedSelection('a page', entity, given, 'E_PAGINATION').clone()
  if (scope !== undefined && scope !== null) checkedScope('the scope', scope)(own)
  const { reading } = own
  refuseLoneLock(surface, reading)
  return { ...reading, surface, pagination: pagination ?? new Pagination() }
}

/** Sends the queries of a page. */
export function dispatchPage<Row>(request: PageRequest): Paginated<Row> {
  const { surface, items, count } = request
  if (count === null || surface.serial) {
    return new Paginated(request, surface.dispatch(items), null)
  }
  const [first, second] = surface.pipeline(items, count.query)
  return new Paginated(request, first, second)
}

/** Fetches one page: `startPagination` followed by `awaitPagination`. */
export async function pageOf<E extends AnyEntity, Loaded = unknown, Columns = RowOf<E>>(
  entity: E,
  surface: Surface,
  selection?: Selection<E, Loaded, OrderKind, Columns> | null,
  pagination?: Pagination | null,
  scope?: Scope<E> | null,
): Promise<Mapped<SelectedRow<Loaded, Columns>>> {
  return awaitPagination(startPagination(entity, surface, selection, pagination, scope))
}
