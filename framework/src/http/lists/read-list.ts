import type { KeyObject } from 'node:crypto'
import {
  InvalidArgumentException,
  FrameworkError,
  RefusedInput,
  invalidArgument,
} from '../../base/errors.ts'
import { Emitter } from '../../events/emitter.ts'
import type { Translate } from '../../i18n/languages.ts'
import type { SelectPlan } from '../../database/sql/plan/select-plan.ts'
import type { Surface } from '../../database/surface.ts'
import { Entity } from '../../orm/entity/entity.ts'
import type { AnyEntity } from '../../orm/entity/entity.ts'
import type { RowOf, SelectedRow } from '../../orm/entity/row.ts'
import { completeOrder } from '../../orm/pagination/complete-order.ts'
import { signCursor, verifyCursor } from '../../orm/pagination/cursor.ts'
import { requestPage } from '../../orm/pagination/page-request.ts'
import { pageOf, pageSource } from '../../orm/pagination/paginated.ts'
import { Modes, Pagination } from '../../orm/pagination/pagination.ts'
import type { Mapped, PaginationSettings } from '../../orm/pagination/pagination.ts'
import type { OrderKind, Scope, Selection } from '../../orm/selection.ts'
import { InvalidQuery } from '../errors/invalid-input.ts'
import { jsonText } from '../response/json-text.ts'
import { ListEvents } from './list-events.ts'
import type { ListQuery, ListRequest } from './list-query.ts'
import { ListPage, listLinks, ListPageLinks, pageNumbers, pageTargets } from './list-page.ts'
import { RememberedTotal } from './remembered-total.ts'

/** Rows of an entity on a database or a transaction: a repository is one. */
export interface ListSource<out E extends AnyEntity> {
  readonly entity: E
  readonly surface: Surface
}

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
    throw invalidArgument(`paginate takes an entity or a repository, got ${typeof given}`)
  }
  if (surface !== null) return { entity: given, surface }
  throw new FrameworkError(
    'E_RESOURCE',
    `response.database has no database to read ${given.table} from; pass a repository, or set a database with server.resources() or the resources of defineProject()`,
  )
}

/** Reads the rows that the parameters of a request ask for. */
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

/** Options of one reading of a list. */
export interface ListReadOptions<E extends AnyEntity> {
  /** A restriction that depends on the request, such as the rows of the account. */
  readonly scope?: Scope<E>
  /** The number of rows, if it is known: nothing is counted then. */
  readonly total?: number
}

/** Where a list is read. */
export interface ListReadContext {
  /** The address of the request. */
  readonly URI: string
  /** The keys of cursors and totals, the current one first; null if they are not signed. */
  readonly keys: readonly KeyObject[] | null
  /** Of the language of the request. Called when a page shows the numbers of others. */
  readonly translate: () => Translate
}

/** Reads the page of a list by declaration that a query asks for. */
export async function readList<E extends AnyEntity, Loaded>(
  { entity, surface }: ListSource<E>,
  query: ListQuery<E, unknown, string, Loaded>,
  { scope, total }: ListReadOptions<E>,
  { URI, keys, translate }: ListReadContext,
): Promise<ListPage<SelectedRow<Loaded, RowOf<E>>>> {
  const selection: Selection<E, Loaded, OrderKind> = query.select(surface.dialect)
  scope?.(selection)
  const { remember, count, cap, nulls, paged, parameters, total: token } = query.settings
  const remembered =
    keys === null || remember === 0
      ? null
      : new RememberedTotal(keys, selection.plan(), surface.dialect)
  const { limit, page } = query
  const position = query.cursor === '' ? null : query.cursor
  // Only what a cursor is signed or checked with: a page by its number needs none.
  const context = (): string => cursorContext(query, entity, selection.plan(), URI)
  const pagination = new Pagination({
    limit,
    page,
    cursor: position === null || keys === null ? position : verifyCursor(position, keys, context()),
    mode: page === null ? Modes.Cursor : Modes.Page,
    count,
    cap,
    nulls,
    total: total ?? remembered?.read(token) ?? undefined,
  })
  const { items } = await pageOf(entity, surface, selection, pagination).catch((error: unknown) =>
    refuseValue(() => query.select(surface.dialect).count(), error),
  )
  const [key] = keys ?? []
  const { next, more, total: counted, approximate } = pagination
  if (key !== undefined && next !== null) {
    const signed = signCursor(next, key, context())
    pagination.resolve({ next: signed, more, total: counted, approximate })
  }
  if (Emitter.Instance.hasListeners(ListEvents.Read)) {
    const source = pageSource(entity, surface, selection, pagination)
    const { items: statement, plan, orderings } = requestPage(source)
    const reading = { surface, query: statement, plan: { ...plan, orderings } }
    Emitter.Instance.emit(ListEvents.Read, reading)
  }
  const isExact = pagination.total !== null && !pagination.approximate
  const kept = isExact ? remembered?.sign(pagination.total, remember) : null
  const targetOf = pageTargets(URI, pagination.limit, {
    names: parameters,
    ...(remembered !== null && { total: kept ?? null }),
  })
  return new ListPage(items, pagination, pageLinks(pagination, targetOf, { paged, translate }))
}

// What a signed cursor fits: the list and what the client asked of it. Values that the server computes are
// no part of it, because a restriction such as "from now on" is another one on every page. They need not be:
// the rows of a page are restricted whatever position it starts from.
function cursorContext(
  { settings, filters, limit }: Pick<ListQuery, 'settings' | 'filters' | 'limit'>,
  entity: AnyEntity,
  { orderings, isDistinct, columns }: SelectPlan,
  URI: string,
): string {
  const [path] = URI.split('?', 1)
  const complete = completeOrder(orderings, entity, isDistinct ? columns : null)
  const order = complete.map(({ column, order: way, nulls }) => [column.name, way, nulls])
  return jsonText([settings.name, path, limit, filters, order])
}

function pageLinks(
  pagination: Pagination,
  targetOf: ReturnType<typeof pageTargets>,
  { paged, translate }: { readonly paged: boolean } & Pick<ListReadContext, 'translate'>,
): ListPageLinks {
  const byPage = paged ? targetOf({ page: 1 }) : null
  const links = { ...listLinks(pagination, targetOf), byPage, byCursor: targetOf({ cursor: '' }) }
  return new ListPageLinks(links, () => {
    const { mode, pages, approximate, more } = pagination
    if (mode === Modes.Cursor || pages === null) return []
    const href = (page: number): string => targetOf({ page })
    const open = approximate && more
    return pageNumbers({ page: pagination.page ?? 1, pages, open, href, t: translate() })
  })
}

// The filters were checked by their kind. What only this database refuses is the client's mistake too, but
// not a value of the program's own conditions.
function refuseValue(compile: () => unknown, error: unknown): never {
  if (!(error instanceof InvalidArgumentException) || error.code !== 'E_COLUMN_VALUE') throw error
  try {
    compile()
  } catch {
    const message = 'a filter has a value that its column cannot have'
    throw new RefusedInput(error.code, message, {
      cause: new InvalidQuery([{ message }], 'query'),
    })
  }
  throw error
}
