import { DatabaseError } from '../../database/database-error.ts'
import type { Result } from '../../database/operation.ts'
import { BridgeError } from '../../database/surface-errors.ts'
import { rawRows } from '../rows/hydrate-rows.ts'
import { rowBatch } from '../rows/row-batch.ts'
import type { RowBatch } from '../rows/row-batch.ts'
import { loadRelations, loadRelationsSync } from '../relations/load-relations.ts'
import { malformed } from './cursor.ts'
import { Mapped } from './mapped.ts'
import { Modes } from './modes.ts'
import { pageOutcome, pageRows } from './page-outcome.ts'
import type { PageRows } from './page-outcome.ts'
import type { PageRequest } from './page-request.ts'
import { requestOf } from './paginated.ts'
import type { Paginated } from './paginated.ts'

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
