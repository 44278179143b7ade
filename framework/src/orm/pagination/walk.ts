import { InvalidArgumentException } from '../../base/errors.ts'
import { Steps } from '../../activity/steps.ts'
import type { Surface } from '../../database/surface.ts'
import type { AnyEntity } from '../entity/entity.ts'
import type { RowOf, SelectedRow } from '../entity/row.ts'
import type { OrderKind, Scope, Selection } from '../selection.ts'
import { knownOptions } from '../selection-arguments.ts'
import { TimeSlice } from '../rows/time-slice.ts'
import { awaitPagination, dispatchPage, pageSource } from './paginated.ts'
import type { Mapped } from './pagination.ts'
import { Modes, Pagination } from './pagination.ts'
import { requestPage } from './page-request.ts'
import type { PageRequest } from './page-request.ts'

// A synchronous query blocks the event loop for all of its rows.
const maxSyncRows = 500

/** Options of a walk. */
export interface WalkOptions<E extends AnyEntity> {
  /**
   * Rows per query, at most 500 on SQLite; affects neither which rows are returned nor their order.
   * @default 100
   */
  readonly size?: number
  readonly scope?: Scope<E>
  /** Whether the order may have nullable columns, as with `Pagination`. @default false */
  readonly nulls?: boolean
}

/**
 * Iterates over all rows of a selection, read in pages by a cursor: existing rows are returned
 * exactly once, whatever is inserted and deleted meanwhile. Nothing is read ahead, and leaving the
 * loop stops the queries. The event loop is not blocked, however many rows there are.
 * @throws InvalidArgumentException immediately, not at the first row, when the walk is not
 * possible.
 */
export function walkOver<E extends AnyEntity, Loaded = unknown, Columns = RowOf<E>>(
  entity: E,
  surface: Surface,
  selection?: Selection<E, Loaded, OrderKind, Columns> | null,
  options: WalkOptions<E> = {},
): AsyncGenerator<SelectedRow<Loaded, Columns>, void, undefined> {
  knownOptions('walk', options, ['size', 'scope', 'nulls'])
  const { size = 100, scope, nulls = false } = options
  if (!Number.isSafeInteger(size) || size < 1) {
    throw new InvalidArgumentException(
      'E_PAGINATION',
      `size must be a whole number, at least 1, got ${size}`,
    )
  }
  const limit = surface.kind === 'sync' ? Math.min(size, maxSyncRows) : size
  const pagination = new Pagination({ mode: Modes.Cursor, limit, nulls })
  return walk(requestPage(pageSource(entity, surface, selection, pagination, scope)))
}

async function* walk<Row>(first: PageRequest): AsyncGenerator<Row, void, undefined> {
  const slice = new TimeSlice()
  let request: PageRequest | null = first
  while (request !== null) {
    const { items, pagination } = await read<Row>(request, request !== first)
    for (const item of items) {
      yield item
      // Neither a synchronous database nor a loop that never waits would let anything else run.
      if (slice.isOver) await slice.next()
    }
    request = following(request, pagination.next)
  }
}

function read<Row>(request: PageRequest, continues: boolean): Promise<Mapped<Row>> {
  const page = (): Promise<Mapped<Row>> => awaitPagination(dispatchPage<Row>(request))
  return continues ? Steps.Instance.continuing(page) : page()
}

function following(request: PageRequest, cursor: string | null): PageRequest | null {
  if (cursor === null) return null
  const pagination = new Pagination({
    cursor,
    limit: request.pagination.limit,
    nulls: request.pagination.nulls,
  })
  return requestPage({ ...request, pagination })
}
