import { invalidArgument } from '../../base/errors.ts'
import type { Operation, Result } from '../../database/operation.ts'
import type { Query } from '../../database/sql/plan/statement.ts'
import { BridgeError, DatabaseError } from '../../database/database-error.ts'
import { keysetValue } from '../../database/sql/values/keyset.ts'
import { rawRows, rowBatch } from '../rows/hydrate-rows.ts'
import type { RawRow, RowBatch } from '../rows/hydrate-rows.ts'
import { loadRelations, loadRelationsSync } from '../relations/load-relations.ts'
import type { AnyEntity } from '../entity/entity.ts'
import type { PageRequest, PageSource } from './page-request.ts'
import { Counts, Mapped, Modes, Pagination } from './pagination.ts'
import type { PaginationOutcome } from './pagination.ts'
import { encodeCursor, malformed, signCursor } from './cursor.ts'
import type { Surface } from '../../database/surface.ts'
import { checkedSelection, Selection } from '../selection.ts'
import type { AnySelection, OrderKind, Scope } from '../selection.ts'
import type { RowOf, SelectedRow } from '../entity/row.ts'
import { refuseLoneLock } from '../reading.ts'
import { checkedScope } from '../selection-arguments.ts'
import { requestPage } from './page-request.ts'

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

/**
 * A pending page: the operation of the items, and that of the COUNT beside it. `Row` is the type of
 * a hydrated row.
 */
export class Paginated<out Row> implements Operation {
  // Type only; the property never exists at run time.
  declare readonly row: Row
  readonly request: PageRequest
  readonly #items: Operation
  #count: Operation | null

  constructor(request: PageRequest, items: Operation, count: Operation | null) {
    this.request = request
    this.#items = items
    this.#count = count
  }

  get pagination(): Pagination {
    return this.request.pagination
  }

  /** The COUNT, `'deferred'` while it waits for hydration, or null if nothing is counted. */
  get count(): Operation | 'deferred' | null {
    return this.#count ?? (this.request.count === null ? null : 'deferred')
  }

  get query(): Query {
    return this.#items.query
  }

  get state(): Operation['state'] {
    return this.#items.state
  }

  get result(): Result {
    return this.#items.result
  }

  settled(): Promise<Result> {
    return this.#items.settled()
  }

  /** The COUNT, sent now if it was deferred, but only once. */
  dispatchCount(): Operation | null {
    const { count, surface } = this.request
    if (count !== null) this.#count ??= surface.dispatch(count.query)
    return this.#count
  }
}

/**
 * The page of an operation, without waiting; a deferred COUNT is sent now.
 * @throws BridgeError on an asynchronous database, in page mode and for relations; PendingError in
 *   cursor mode while the rows are pending.
 */
export function hydratePagination<Row>(operation: Paginated<Row>): Mapped<Row> {
  const request = requestOf(operation)
  const { surface, relations } = request
  if (surface.kind === 'async') refuseToWait(request)
  const items = resultOf(operation)
  const count = operation.dispatchCount()?.result ?? null
  const page = readItems(request, items)
  loadRelationsSync(surface, page.batch, relations)
  return mapped(operation, page, count)
}

/**
 * The page of an operation once everything has arrived; a deferred COUNT is sent after the items.
 */
export async function awaitPagination<Row>(operation: Paginated<Row>): Promise<Mapped<Row>> {
  const request = requestOf(operation)
  const { surface, relations } = request
  // There is nothing to wait for, and each await would cost a turn of the event loop.
  if (surface.kind === 'sync') return hydratePagination(operation)
  const items = await operation.settled().catch((error: unknown) => refuseCursor(request, error))
  const counting = operation.dispatchCount()
  // The rows are hydrated while the database is still counting.
  const page = readItems(request, items)
  const count = counting === null ? null : await counting.settled()
  if (relations.length > 0) await loadRelations(surface, page.batch, relations)
  return mapped(operation, page, count)
}

/** The bridge to asynchronous databases: waits for pages, which `repository.hydrate` never does. */
export const Awaiting = {
  /**
   * Resolves with the page once its items, its COUNT and its relations have arrived. A deferred
   * COUNT is sent after the items.
   */
  async hydrate<Row>(repository: Owner, page: Paginated<Row>): Promise<Mapped<Row>> {
    refuseOther(repository.entity, page)
    return awaitPagination(page)
  },
} as const
Object.freeze(Awaiting)

/** The part of a repository that `Awaiting` needs. */
interface Owner {
  readonly entity: AnyEntity
}

/** @throws InvalidArgumentException for an operation of another entity. */
export function refuseOther(own: AnyEntity, operation: Paginated<unknown>): void {
  const { entity } = requestOf(operation)
  if (entity === own) return
  throw invalidArgument(`the operation belongs to ${entity.table}, the repository to ${own.table}`)
}

function requestOf(operation: Paginated<unknown>): PageRequest {
  if (operation instanceof Paginated) return operation.request
  throw invalidArgument(
    'hydrate takes an operation returned by paginate(); other operations have their rows in result',
  )
}

function resultOf<Row>(operation: Paginated<Row>): Result {
  try {
    return operation.result
  } catch (error) {
    return refuseCursor(requestOf(operation), error)
  }
}

// A column may be narrower than its entity says: for a uuid, an enumeration or a date declared as a text,
// only the database can tell. A cursor with a value that no row can have is forged.
function refuseCursor({ pagination: { cursor, before } }: PageRequest, error: unknown): never {
  const isForged = error instanceof DatabaseError && error.code === 'E_VALUE'
  if (!isForged || (cursor ?? before) === null) throw error
  throw malformed('the database rejects one of its values')
}

interface Page {
  readonly raw: PageRows
  readonly batch: RowBatch
}

// The probe row is removed before relations are loaded, so none are loaded for it.
function readItems(request: PageRequest, items: Result): Page {
  const { entity, surface, read } = request
  const raw = pageRows(request, rawRows(items))
  return { raw, batch: rowBatch(entity, read, raw.rows, surface.dialect) }
}

// The outcome is set last, so that a page that fails leaves none behind.
function mapped<Row>(
  operation: Paginated<Row>,
  { raw, batch }: Page,
  count: Result | null,
): Mapped<Row> {
  const { request, pagination } = operation
  const counted = count === null ? null : (request.count?.read(count) ?? null)
  // `Row` is derived from the same columns and relations as the rows themselves.
  const typed = batch.rows as readonly Row[]
  return new Mapped(typed, pagination.resolve(pageOutcome(request, raw, counted)))
}

function refuseToWait({ pagination, relations }: PageRequest): void {
  const what = pagination.mode === Modes.Page ? 'page mode' : 'loading relations'
  if (pagination.mode === Modes.Cursor && relations.length === 0) return
  throw new BridgeError(
    'E_BRIDGE',
    `hydrate() never waits, but ${what} must wait on this database; use await Awaiting.hydrate(repository, operation) or await repository.page(…)`,
  )
}

/** The raw rows of a page, in the order of the user. */
interface PageRows {
  readonly rows: readonly RawRow[]
  /** Whether there was a probe row after them. */
  readonly more: boolean
}

/** Removes the probe row and notes whether there was one. */
function pageRows({ pagination }: PageRequest, fetched: readonly RawRow[]): PageRows {
  const { mode, limit, before } = pagination
  const more = fetched.length > limit
  const rows = more ? fetched.slice(0, limit) : fetched
  return { rows: mode === Modes.Cursor && before !== null ? rows.toReversed() : rows, more }
}

/** The outcome of a page; `counted` is the result of the COUNT. */
function pageOutcome(
  request: PageRequest,
  { rows, more }: PageRows,
  counted: number | null,
): Partial<PaginationOutcome> {
  if (request.pagination.mode === Modes.Page) return sliceOutcome(request, rows, more, counted)
  const outcome = walkOutcome(request, rows, more)
  const isCounted = counted !== null || request.pagination.knownTotal !== null
  return isCounted ? { ...outcome, ...walkTotal(request, counted) } : outcome
}

function sliceOutcome(
  { pagination, count }: PageRequest,
  rows: readonly RawRow[],
  more: boolean,
  counted: number | null,
): Partial<PaginationOutcome> {
  const { page, limit, cap, knownTotal } = pagination
  const given = knownTotal ?? counted
  if (given === null) return { more }
  if (count?.kind === Counts.Exact && counted !== null) {
    const pages = Math.ceil(counted / limit)
    return { total: counted, pages, more: (page ?? 1) < pages }
  }
  const offset = ((page ?? 1) - 1) * limit
  const seen = offset + rows.length
  // The page with the last row knows the total better than any cap or estimate.
  const isLast = !more && (rows.length > 0 || offset === 0)
  const isBeyond = !more && !isLast
  const isCapped = count?.kind === Counts.Capped && given > cap
  const guess = isCapped ? cap : given
  const total = isLast ? seen : isBeyond ? Math.min(guess, offset) : Math.max(guess, seen + 1)
  const isGuess = count?.kind === Counts.Estimate || isCapped
  return { total, pages: Math.ceil(total / limit), more, approximate: !isLast && isGuess }
}

function walkOutcome(
  request: PageRequest,
  rows: readonly RawRow[],
  more: boolean,
): Partial<PaginationOutcome> {
  const { cursor, before, backward } = request.pagination
  const first = rows[0]
  const last = rows.at(-1)
  if (first === undefined || last === undefined) return { more }
  // Walking backward, the row where the walk started comes after the page.
  const hasNext = before === null ? more : true
  const hasPrevious = before === null ? cursor !== null && backward : more
  return {
    more,
    next: hasNext ? cursorOf(request, last) : null,
    previous: hasPrevious ? cursorOf(request, first) : null,
  }
}

function walkTotal(
  { pagination: { knownTotal, cap }, count }: PageRequest,
  counted: number | null,
): Partial<PaginationOutcome> {
  if (knownTotal !== null) return { total: knownTotal }
  if (counted === null || count === null) return {}
  const isCapped = count.kind === Counts.Capped && counted > cap
  return {
    total: isCapped ? cap : counted,
    approximate: isCapped || count.kind === Counts.Estimate,
  }
}

function cursorOf(
  { plan, orderings, surface, pagination, context }: PageRequest,
  row: RawRow,
): string {
  const { nulls } = pagination
  const values = orderings.map(({ column }) => {
    const raw = row[plan.columns.indexOf(column)]
    return nulls && column.isNullable && raw === null
      ? null
      : keysetValue(column, raw, surface.dialect)
  })
  const token = encodeCursor(values, nulls)
  return pagination.signed === null ? token : signCursor(token, pagination.signed, context)
}
