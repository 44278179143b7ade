import { Steps } from '../../activity/steps.ts'
import { FrameworkError, invalidArgument } from '../../base/errors.ts'
import type { Surface } from '../../database/surface.ts'
import { compileInsert } from '../../database/sql/write/compile-insert.ts'
import type { InsertConflict } from '../../database/sql/write/compile-insert.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { Query } from '../../database/sql/plan/statement.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'
import { entityRows } from './hydrate-rows.ts'
import type { PlainRow } from './hydrate-rows.ts'
import { queryRows } from './read-rows.ts'
import { TimeSlice } from './time-slice.ts'
import { newAssignments } from './assignments.ts'
import type { Assignment } from './assignments.ts'

// Larger statements are hardly faster, and eventually too long for a server.
const maxRows = 1_000

/**
 * The insert of one row, which returns it.
 * @throws InvalidArgumentException for an invalid value.
 */
export function insertQuery(entity: AnyEntity, values: unknown, dialect: Dialect): Query {
  const batch = new Batch()
  batch.add(newAssignments(entity, values))
  return compileBatch(entity, batch, dialect, null)
}

/** Checks one row of a bulk upsert, and says what to do if rows with its columns exist. */
interface BulkConflict {
  readonly check: (assignments: readonly Assignment[]) => void
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
  const batch = new Batch()
  for (const values of copy) {
    const assignments = newAssignments(entity, values)
    bulk?.check(assignments)
    if (!batch.takes(assignments, dialect)) {
      yield compileBatch(entity, batch, dialect, bulk)
      batch.rows = []
    }
    batch.add(assignments)
  }
  if (batch.rows.length > 0) yield compileBatch(entity, batch, dialect, bulk)
}

/** Rows with the same columns. */
class Batch {
  columns: readonly EntityColumn[] = []
  rows: unknown[][] = []

  // Rows with only defaults need a statement each.
  takes(assignments: readonly Assignment[], dialect: Dialect): boolean {
    if (this.rows.length === 0) return true
    const { length } = this.columns
    const most = length === 0 ? 1 : Math.min(maxRows, dialect.maxParameters / length)
    if (this.rows.length + 1 > most || assignments.length !== length) return false
    return assignments.every(({ column }, index) => column === this.columns[index])
  }

  add(assignments: readonly Assignment[]): void {
    if (this.rows.length === 0) this.columns = assignments.map(({ column }) => column)
    this.rows.push(assignments.map(({ value }) => value))
  }
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
export async function writtenRow(
  surface: Surface,
  entity: AnyEntity,
  query: Query,
): Promise<PlainRow> {
  const [row] = entityRows(entity, await surface.run(query), surface.dialect)
  if (row !== undefined) return row
  throw new FrameworkError(
    'E_DATABASE',
    `${entity.table}: the database accepted the row but stored none; check the triggers of the table`,
  )
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
  if (built.length === 1) return queryRows(surface, entity, only)
  return surface.transaction(async (transaction) => {
    const rows: PlainRow[] = []
    for (const query of built) {
      const write = (): Promise<PlainRow[]> => queryRows(transaction, entity, query)
      const written = await (query === only ? write() : Steps.Instance.continuing(write))
      for (const row of written) rows.push(row)
      if (surface.kind === 'sync' && slice.isOver) await slice.next()
    }
    return rows
  })
}
