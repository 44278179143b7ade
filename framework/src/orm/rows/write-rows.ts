import { FrameworkError } from '../../base/errors.ts'
import { Steps } from '../../activity/steps.ts'
import type { Surface } from '../../database/surface.ts'
import { compileUpdate } from '../../database/sql/write/compile-update.ts'
import type { Condition } from '../../database/sql/plan/condition.ts'
import type { Query } from '../../database/sql/plan/query.ts'
import { changedAssignments } from './assignments.ts'
import type { Assignment } from './assignments.ts'
import { changeRow } from './change-row.ts'
import type { AnyEntity } from '../entity/entity.ts'
import type { PlainRow } from './hydrate-rows.ts'
import { hasKey, isRow, movedKey } from './key-conditions.ts'
import { findRow, queryRows } from './read-rows.ts'
import { renewed, withRenewals } from './renewals.ts'
import { StaleRowError } from './stale-row-error.ts'
import { TimeSlice } from './time-slice.ts'

/**
 * The row written by a query.
 * @throws FrameworkError when a trigger prevented the write.
 */
export async function writtenRow(
  surface: Surface,
  entity: AnyEntity,
  query: Query,
): Promise<PlainRow> {
  const [row] = await queryRows(surface, entity, query)
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

/** Updates the row with a key and returns it, or null if there is none. */
export async function updateRow(
  surface: Surface,
  entity: AnyEntity,
  key: unknown,
  values: unknown,
): Promise<PlainRow | null> {
  const given = changedAssignments(entity, values)
  const before = isRow(entity, key, surface.dialect)
  if (given.length === 0) return findRow(surface, entity, before)
  const moved = movedKey(entity, key, given)
  const isSame = moved === key && entity.deletedAt === null
  const after = isSame ? before : hasKey(entity, moved, surface.dialect)
  const { changes, expected } = withRenewals(entity, given, surface.dialect)
  const refuse = (row: PlainRow): Error => staleRow(entity, given, row)
  return changeRow(surface, entity, { before, after, changes, guards: expected, refuse })
}

function staleRow(entity: AnyEntity, given: readonly Assignment[], row: PlainRow): StaleRowError {
  const version = given.find(({ column }) => column.renewal === 'count')
  return new StaleRowError(entity.table, version?.value, row[version?.column.property ?? ''])
}

/**
 * Updates the rows that match conditions and returns their number.
 * @throws InvalidArgumentException without changes.
 */
export async function updateRows(
  surface: Surface,
  entity: AnyEntity,
  conditions: readonly Condition[],
  values: unknown,
): Promise<number> {
  const given = changedAssignments(entity, values)
  const changes = given.length === 0 ? given : renewed('updateAll', entity, given)
  const plan = { table: entity.table, changes, conditions, returning: [] }
  const { affected } = await surface.run(compileUpdate(plan, surface.dialect))
  return affected
}
