import type { Result } from '../database/operation.ts'
import { BridgeError } from '../database/surface-errors.ts'
import { hydrateRows, rawRows } from './hydrate-rows.ts'
import type { PlainRow } from './hydrate-rows.ts'
import { loadRelations, loadRelationsNow } from './load-relations.ts'
import { Mapped } from './mapped.ts'
import { Modes } from './modes.ts'
import { pageOutcome } from './page-outcome.ts'
import type { PageRequest } from './page-request.ts'
import { requestOf } from './paginated.ts'
import type { Paginated } from './paginated.ts'
import type { PaginationOutcome } from './pagination.ts'

/**
 * The page of an operation, without waiting; a deferred COUNT is sent now.
 * @throws BridgeError, on a database that answers later, in page mode and for relations; PendingError
 *   in cursor mode while the rows are on their way.
 */
export function hydratePagination<Row>(operation: Paginated<Row>): Mapped<Row> {
  const request = requestOf(operation)
  const { surface, entity, relations } = request
  if (surface.kind === 'async') refuseToWait(request)
  const items = operation.result
  const count = operation.dispatchCount()?.result ?? null
  const page = readPage(request, items, count)
  loadRelationsNow(surface, entity, page.rows, relations)
  return mapped(operation, page)
}

/** The page of an operation once everything has come; a deferred COUNT is sent after the items. */
export async function awaitPagination<Row>(operation: Paginated<Row>): Promise<Mapped<Row>> {
  const request = requestOf(operation)
  const { surface, entity, relations } = request
  // There is nothing to wait for, and waiting for nothing costs a turn each time.
  if (surface.kind === 'sync') return hydratePagination(operation)
  const items = await operation.settled()
  const count = (await operation.dispatchCount()?.settled()) ?? null
  const page = readPage(request, items, count)
  await loadRelations(surface, entity, page.rows, relations)
  return mapped(operation, page)
}

interface Page {
  readonly rows: readonly PlainRow[]
  readonly outcome: Partial<PaginationOutcome>
}

// The probe row is gone before relations are loaded, so nothing is asked for its sake.
function readPage(request: PageRequest, items: Result, count: Result | null): Page {
  const counted = count === null ? null : (request.count?.read(count) ?? null)
  const { rows, outcome } = pageOutcome(request, rawRows(items), counted)
  return { rows: hydrateRows(request.entity.columns, request.surface.dialect, rows), outcome }
}

// The outcome is written last: a page that fails leaves none behind.
function mapped<Row>(operation: Paginated<Row>, { rows, outcome }: Page): Mapped<Row> {
  if (!areRowsOf(operation, rows)) throw new TypeError('unreachable: the probe row was trimmed')
  return new Mapped(rows, operation.pagination.resolve(outcome))
}

// `Row` is made from the very columns and relations that the rows were made from.
function areRowsOf<Row>(
  { pagination }: Paginated<Row>,
  rows: readonly PlainRow[],
): rows is readonly (PlainRow & Row)[] {
  return rows.length <= pagination.limit
}

function refuseToWait({ pagination, relations }: PageRequest): void {
  const what = pagination.mode === Modes.Page ? 'page mode' : 'loading relations'
  if (pagination.mode === Modes.Cursor && relations.length === 0) return
  throw new BridgeError(
    'E_BRIDGE',
    `hydrate() never waits, and ${what} must on this database; use await Awaiting.hydrate(repository, operation) or await repository.page(…)`,
  )
}
