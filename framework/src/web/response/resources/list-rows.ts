import { FrameworkError, InvalidArgumentException } from '../../../base/errors.ts'
import type { Surface } from '../../../data/database/surface.ts'
import { Entity } from '../../../data/repository/entity/entity.ts'
import type { AnyEntity } from '../../../data/repository/entity/entity.ts'
import type { Mapped } from '../../../data/repository/pagination/mapped.ts'
import { Modes } from '../../../data/repository/pagination/modes.ts'
import { pageOf } from '../../../data/repository/pagination/page-of.ts'
import type { PaginationSettings } from '../../../data/repository/pagination/pagination-inputs.ts'
import { Pagination } from '../../../data/repository/pagination/pagination.ts'
import type { LoadedRow } from '../../../data/repository/entity/row.ts'
import type { OrderKind, Selection } from '../../../data/repository/selection.ts'
import type { ListRequest } from './list-request.ts'
import type { ListSource } from './list-source.ts'

/**
 * Where the rows of an entity or a repository come from.
 * @throws FrameworkError (E_RESOURCE) for an entity when the resource has no database.
 * @throws InvalidArgumentException for what is neither.
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
    `response.database has no database to list ${given.table} from: hand it a repository, or give one with server.resources() or the resources of defineProject()`,
  )
}

/** Reads the rows a request asks for, and waits for them whatever the driver. */
export function listRows<E extends AnyEntity, Loaded extends string>(
  { entity, surface }: ListSource<E>,
  selection: Selection<E, Loaded, OrderKind> | null,
  { limit, page, cursor }: ListRequest,
  settings: PaginationSettings,
): Promise<Mapped<LoadedRow<E, Loaded>>> {
  const pagination = new Pagination({
    ...settings,
    limit,
    page,
    cursor: cursor === '' ? null : cursor,
    mode: page === null ? Modes.Cursor : Modes.Page,
  })
  return pageOf(entity, surface, selection, pagination)
}
