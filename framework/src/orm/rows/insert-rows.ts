import { Steps } from '../../activity/steps.ts'
import { FrameworkError, invalidArgument } from '../../base/errors.ts'
import type { Surface } from '../../database/surface.ts'
import { compileInsert } from '../../database/sql/write/compile-insert.ts'
import type { InsertConflict } from '../../database/sql/write/compile-insert.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { Query } from '../../database/sql/plan/statement.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'
import type { PlainRow } from './hydrate-rows.ts'
import { queryRows } from './read-rows.ts'
import type { Soon } from './read-rows.ts'
import { TimeSlice } from './time-slice.ts'
import { newRow } from './assignments.ts'
import type { NewRow } from './assignments.ts'

// Larger statements are hardly faster, and eventually too long for a server.
const maxRows = 1_000

/**
 * The insert of one row, which returns it.
 * @throws InvalidArgumentException for an invalid value.
 */
export function insertQuery(entity: AnyEntity, values: unknown, dialect: Dialect): Query {
  const { columns, values: row } = newRow(entity, values)
  return compileBatch(entity, { columns, rows: [row] }, dialect, null)
}

/** Checks one row of a bulk upsert, and says what to do if rows with its columns exist. */
interface BulkConflict {
  readonly check: (row: NewRow) => void
  readonly conflict: (columns: readonly EntityColumn[]) => InsertConflict
}

/**
 * The inserts of a list of rows, in order, which return them: one for each run of rows with the
 * same columns, or more if one statement cannot bind them all. A generator, so that a long list can
 * be processed in several turns of the event loop.
 * @throws InvalidArgumentException for an invalid value.
 */
export function* insertQueries(
  entity: AnyEntity,
  list: readonly unknown[],
  dialect: Dialect,
  bulk: BulkConflict | null = null,
): Generator<Query, void, undefined> {
  if (!Array.isArray(list)) {
    const got = list === null ? 'null' : typeof list
    throw invalidArgument(`${entity.table}: expected a list of rows, got ${got}`)
  }
  // A copy: a long list is read over several turns, during which it may change.
  const copy: readonly unknown[] = [...list]
  let batch: Batch | null = null
  for (const values of copy) {
    const row = newRow(entity, values)
    bulk?.check(row)
    if (batch !== null && !takes(batch, row, dialect)) {
      yield compileBatch(entity, batch, dialect, bulk)
      batch = null
    }
    batch ??= { columns: row.columns, rows: [] }
    batch.rows.push(row.values)
  }
  if (batch !== null) yield compileBatch(entity, batch, dialect, bulk)
}

/** Rows with the same columns. */
interface Batch {
  readonly columns: readonly EntityColumn[]
  readonly rows: (readonly unknown[])[]
}

// Rows with only defaults need a statement each.
function takes({ columns, rows }: Batch, row: NewRow, dialect: Dialect): boolean {
  const { length } = columns
  const most = length === 0 ? 1 : Math.min(maxRows, dialect.maxParameters / length)
  if (rows.length + 1 > most || row.columns.length !== length) return false
  return row.columns.every((column, index) => column === columns[index])
}

function compileBatch(
  entity: AnyEntity,
  { columns, rows }: Batch,
  dialect: Dialect,
  bulk: BulkConflict | null,
): Query {
  const { table, columns: returning } = entity
  const conflict = bulk === null ? null : bulk.conflict(columns)
  return compileInsert({ table, columns, rows, conflict, returning }, dialect)
}

/**
 * The row written by a query.
 * @throws FrameworkError when a trigger prevented the write.
 */
export function writtenRow(surface: Surface, entity: AnyEntity, query: Query): Soon<PlainRow> {
  return queryRows(surface, entity, query, ([row]) => {
    if (row !== undefined) return row
    throw new FrameworkError(
      'E_DATABASE',
      `${entity.table}: the database accepted the row but stored none; check the triggers of the table`,
    )
  })
}

/**
 * The rows written by several queries, all or none; nothing is sent before all queries are built.
 * It yields to the event loop in between, also on a `sync` surface, where the transaction has its
 * own connection and so no other statement can run inside it.
 */
export async function writtenRows(
  surface: Surface,
  entity: AnyEntity,
  queries: Iterable<Query>,
): Promise<PlainRow[]> {
  const slice = new TimeSlice()
  const built: Query[] = []
  for (const query of queries) {
    built.push(query)
    if (slice.isOver) await slice.next()
  }
  const [only] = built
  if (only === undefined) return []
  if (built.length === 1) return queryRows(surface, entity, only, asTheyAre)
  return surface.transaction(async (transaction) => {
    const rows: PlainRow[] = []
    for (const query of built) {
      const write = (): Soon<PlainRow[]> => queryRows(transaction, entity, query, asTheyAre)
      const written = await (query === only ? write() : Steps.Instance.continuing(write))
      for (const row of written) rows.push(row)
      if (surface.kind === 'sync' && slice.isOver) await slice.next()
    }
    return rows
  })
}

const asTheyAre = (rows: PlainRow[]): PlainRow[] => rows
