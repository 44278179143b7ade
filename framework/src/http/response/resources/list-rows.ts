import { FrameworkError, InvalidArgumentException } from '../../../base/errors.ts'
import type { Surface } from '../../../database/surface.ts'
import { Entity } from '../../../orm/entity/entity.ts'
import type { AnyEntity } from '../../../orm/entity/entity.ts'
import type { Mapped } from '../../../orm/pagination/paginated.ts'
import { Modes, Pagination } from '../../../orm/pagination/pagination.ts'
import { pageOf } from '../../../orm/pagination/paginate.ts'
import type { PaginationSettings } from '../../../orm/pagination/pagination.ts'
import type { SelectedRow } from '../../../orm/entity/row.ts'
import type { OrderKind, Selection } from '../../../orm/selection.ts'
import type { ListRequest } from './list-request.ts'
import type { ListSource } from './list-source.ts'

/**
 * Turns an entity or a repository into a source of rows.
 * @throws FrameworkError (E_RESOURCE) for an entity if the resource has no database.
 * @throws InvalidArgumentException for anything else.
 */
export function sourceOf<E extends AnyEntity>(
  given: E | ListSource<E>,
  surface: Surface | null,
): ListSource<E> {
  if (!(given instanceof Entity)) {
    if (given?.entity instanceof Entity) return given
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `paginate takes an entity or a repository, got ${typeof given}`,
    )
  }
  if (surface !== null) return { entity: given, surface }
  throw new FrameworkError(
    'E_RESOURCE',
    `response.database has no database to read ${given.table} from; pass a repository, or set a database with server.resources() or the resources of defineProject()`,
  )
}

/** Reads the requested rows, with synchronous and asynchronous drivers. */
export function listRows<E extends AnyEntity, Loaded, Columns>(
  { entity, surface }: ListSource<E>,
  selection: Selection<E, Loaded, OrderKind, Columns> | null,
  { limit, page, cursor }: ListRequest,
  { count, ...settings }: PaginationSettings,
): Promise<Mapped<SelectedRow<Loaded, Columns>>> {
  const pagination = new Pagination({
    ...settings,
    limit,
    page,
    cursor: cursor === '' ? null : cursor,
    mode: page === null ? Modes.Cursor : Modes.Page,
    // By cursor nothing is counted, whatever is set for pages.
    ...(page !== null && { count }),
  })
  return pageOf(entity, surface, selection, pagination)
}
