import { InvalidArgumentException } from '../../../base/errors.ts'
import type { Surface } from '../../database/surface.ts'
import type { AnyEntity } from '../entity/entity.ts'
import { requestPage } from './page-request.ts'
import type { PageRequest, PageSource } from './page-request.ts'
import { Paginated } from './paginated.ts'
import { Pagination } from './pagination.ts'
import type { LoadedRow } from '../entity/row.ts'
import { Selection } from '../selection.ts'
import type { OrderKind, Scope } from '../selection.ts'

/**
 * Sends what one page needs: in page mode the items and their COUNT together, in cursor mode the
 * items alone. On a surface that takes one statement at a time the COUNT waits for hydration.
 * @throws InvalidArgumentException, before anything is sent, when something asked for cannot be.
 */
export function startPagination<E extends AnyEntity, Loaded extends string = never>(
  entity: E,
  surface: Surface,
  selection?: Selection<E, Loaded, OrderKind> | null,
  pagination?: Pagination | null,
  scope?: Scope<E> | null,
): Paginated<LoadedRow<E, Loaded>> {
  const source = pageSource(entity, surface, selection, pagination, scope)
  return dispatchPage(requestPage(source))
}

/** What a page is made from; the selection is cloned first, so the scope narrows only the copy. */
export function pageSource<E extends AnyEntity>(
  entity: E,
  surface: Surface,
  selection?: Selection<E, string, OrderKind> | null,
  pagination?: Pagination | null,
  scope?: Scope<E> | null,
): PageSource {
  if (selection && selection.entity !== entity) {
    throw new InvalidArgumentException(
      'E_PAGINATION',
      `the selection is one of ${selection.entity.table}, the repository one of ${entity.table}`,
    )
  }
  const own = selection?.clone() ?? new Selection(entity, surface.dialect)
  if (scope) scope(own)
  return {
    entity,
    surface,
    pagination: pagination ?? new Pagination(),
    plan: own.plan(),
    relations: own.relations,
  }
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
