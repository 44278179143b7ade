import { InvalidArgumentException } from '../../../base/errors.ts'
import type { Surface } from '../../database/surface.ts'
import type { AnyEntity } from '../entity/entity.ts'
import { awaitPagination } from './hydrate-pagination.ts'
import { Modes } from './modes.ts'
import { requestPage } from './page-request.ts'
import type { PageRequest } from './page-request.ts'
import { dispatchPage, pageSource } from './paginate.ts'
import { Pagination } from './pagination.ts'
import type { LoadedRow } from '../entity/row.ts'
import type { OrderKind, Scope, Selection } from '../selection.ts'
import { TimeSlice } from '../rows/time-slice.ts'

/** How a walk goes. */
export interface WalkOptions<E extends AnyEntity> {
  /** Rows asked for at a time; 100 unless given. They never change which rows come, or their order. */
  readonly size?: number
  readonly scope?: Scope<E>
}

/**
 * Every row of a selection, one by one, read in pages by a cursor: rows that stay are given exactly
 * once, whatever is inserted and deleted meanwhile. Nothing is read ahead, and leaving the loop asks
 * for nothing more. However many rows there are, the event loop has its turn in between.
 * @throws InvalidArgumentException at once, not at the first row, when the walk cannot be done.
 */
export function walkOver<E extends AnyEntity, Loaded extends string = never>(
  entity: E,
  surface: Surface,
  selection?: Selection<E, Loaded, OrderKind> | null,
  { size = 100, scope }: WalkOptions<E> = {},
): AsyncGenerator<LoadedRow<E, Loaded>, void, undefined> {
  if (!Number.isSafeInteger(size) || size < 1) {
    throw new InvalidArgumentException(
      'E_PAGINATION',
      `size is a whole number of 1 or more, got ${size}`,
    )
  }
  const pagination = new Pagination({ mode: Modes.Cursor, limit: size })
  return walk(requestPage(pageSource(entity, surface, selection, pagination, scope)))
}

async function* walk<Row>(first: PageRequest): AsyncGenerator<Row, void, undefined> {
  const slice = new TimeSlice()
  let request: PageRequest | null = first
  while (request !== null) {
    const { items, pagination } = await awaitPagination(dispatchPage<Row>(request))
    yield* items
    request = following(request, pagination.next)
    if (request?.surface.kind === 'sync' && slice.isOver) await slice.next()
  }
}

function following(request: PageRequest, cursor: string | null): PageRequest | null {
  if (cursor === null) return null
  const pagination = new Pagination({ cursor, limit: request.pagination.limit })
  return requestPage({ ...request, pagination })
}
