import type { Surface } from '../../database/surface.ts'
import type { AnyEntity } from '../entity/entity.ts'
import { awaitPagination } from './hydrate-pagination.ts'
import type { Mapped } from './mapped.ts'
import { startPagination } from './paginate.ts'
import type { Pagination } from './pagination.ts'
import type { LoadedRow } from '../entity/row.ts'
import type { OrderKind, Scope, Selection } from '../selection.ts'

/** Fetches one page: `startPagination` followed by `awaitPagination`. */
export async function pageOf<E extends AnyEntity, Loaded extends string = never>(
  entity: E,
  surface: Surface,
  selection?: Selection<E, Loaded, OrderKind> | null,
  pagination?: Pagination | null,
  scope?: Scope<E> | null,
): Promise<Mapped<LoadedRow<E, Loaded>>> {
  return awaitPagination(startPagination(entity, surface, selection, pagination, scope))
}
