import type { Result } from '../../database/operation.ts'
import { BridgeError } from '../../database/surface-errors.ts'
import { hydrateRows, rawRows } from '../rows/hydrate-rows.ts'
import type { PlainRow } from '../rows/hydrate-rows.ts'
import { loadRelations, loadRelationsNow } from '../relations/load-relations.ts'
import { Mapped } from './mapped.ts'
import { Modes } from './modes.ts'
import { pageOutcome, pageRows } from './page-outcome.ts'
import type { PageRows } from './page-outcome.ts'
import type { PageRequest } from './page-request.ts'
import { requestOf } from './paginated.ts'
import type { Paginated } from './paginated.ts'

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
  const page = readItems(request, items)
  loadRelationsNow(surface, entity, page.rows, relations)
  return mapped(operation, page, count)
}

/** The page of an operation once everything has come; a deferred COUNT is sent after the items. */
export async function awaitPagination<Row>(operation: Paginated<Row>): Promise<Mapped<Row>> {
  const request = requestOf(operation)
  const { surface, entity, relations } = request
  // There is nothing to wait for, and waiting for nothing costs a turn each time.
  if (surface.kind === 'sync') return hydratePagination(operation)
  const items = await operation.settled()
  const counting = operation.dispatchCount()
  // The rows are made while the database still counts.
  const page = readItems(request, items)
  const count = counting === null ? null : await counting.settled()
  if (relations.length > 0) await loadRelations(surface, entity, page.rows, relations)
  return mapped(operation, page, count)
}

interface Page {
  readonly came: PageRows
  readonly rows: readonly PlainRow[]
}

// The probe row is gone before relations are loaded, so nothing is asked for its sake.
function readItems(request: PageRequest, items: Result): Page {
  const came = pageRows(request, rawRows(items))
  return { came, rows: hydrateRows(request.entity.columns, request.surface.dialect, came.rows) }
}

// The outcome is written last: a page that fails leaves none behind.
function mapped<Row>(
  operation: Paginated<Row>,
  { came, rows }: Page,
  count: Result | null,
): Mapped<Row> {
  const { request, pagination } = operation
  const counted = count === null ? null : (request.count?.read(count) ?? null)
  // `Row` is made from the very columns and relations that the rows were made from.
  const typed = rows as readonly Row[]
  return new Mapped(typed, pagination.resolve(pageOutcome(request, came, counted)))
}

function refuseToWait({ pagination, relations }: PageRequest): void {
  const what = pagination.mode === Modes.Page ? 'page mode' : 'loading relations'
  if (pagination.mode === Modes.Cursor && relations.length === 0) return
  throw new BridgeError(
    'E_BRIDGE',
    `hydrate() never waits, and ${what} must on this database; use await Awaiting.hydrate(repository, operation) or await repository.page(…)`,
  )
}
