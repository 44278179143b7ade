import { FrameworkError, InvalidArgumentException } from '../../../base/errors.ts'
import { SerialTransaction } from '../../database/serial-transaction.ts'
import type { Surface } from '../../database/surface.ts'
import { compileDelete } from '../../sql/write/compile-delete.ts'
import { compileUpdate } from '../../sql/write/compile-update.ts'
import type { UpdatePlan } from '../../sql/write/compile-update.ts'
import type { Condition } from '../../sql/plan/condition.ts'
import type { Query } from '../../sql/plan/query.ts'
import type { SelectPlan } from '../../sql/plan/select-plan.ts'
import { changedAssignments } from './assignments.ts'
import type { AnyEntity } from '../entity/entity.ts'
import type { PlainRow } from './hydrate-rows.ts'
import { findRow, hasKey, queryRows } from './read-rows.ts'
import { TimeSlice } from './time-slice.ts'

/**
 * The row a query wrote.
 * @throws FrameworkError when a trigger kept it from being written.
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
    `${entity.table}: the database took the row and kept none; look at the triggers of the table`,
  )
}

/**
 * The rows that several queries wrote, all or none of them; nothing is sent before the last of them
 * is made. However many there are, the event loop has its turn in between: on a `sync` surface too,
 * where a transaction has a connection of its own, so that nobody else gets into it.
 */
export async function writtenRows(
  surface: Surface,
  entity: AnyEntity,
  queries: Iterable<Query>,
): Promise<PlainRow[]> {
  const slice = new TimeSlice()
  const made: Query[] = []
  for (const query of queries) {
    made.push(query)
    if (slice.isOver) await slice.next()
  }
  const [only] = made
  if (only === undefined) return []
  if (made.length === 1) return queryRows(surface, entity, only)
  return surface.transaction(async (transaction) => {
    const rows: PlainRow[][] = []
    for (const query of made) {
      rows.push(await queryRows(transaction, entity, query))
      if (surface.kind === 'sync' && slice.isOver) await slice.next()
    }
    return rows.flat()
  })
}

/** Changes the row with a key and gives it back, or null when there is none. */
export async function updateRow(
  surface: Surface,
  entity: AnyEntity,
  key: unknown,
  values: unknown,
): Promise<PlainRow | null> {
  const changes = changedAssignments(entity, values)
  const isKey = hasKey(entity, key, surface)
  if (changes.length === 0) return findRow(surface, entity, isKey)
  const plan = { table: entity.table, changes, conditions: [isKey], returning: entity.columns }
  if (!surface.dialect.returnsUpdated) return updateAndRead(surface, entity, key, plan)
  const [row] = await queryRows(surface, entity, compileUpdate(plan, surface.dialect))
  return row ?? null
}

// The lock of the update holds until the transaction ends, so what is read is what was written.
async function updateAndRead(
  surface: Surface,
  entity: AnyEntity,
  key: unknown,
  plan: UpdatePlan,
): Promise<PlainRow | null> {
  const query = compileUpdate({ ...plan, returning: [] }, surface.dialect)
  const moved = plan.changes.find(({ column }) => column === entity.key)
  const isKey = hasKey(entity, moved === undefined ? key : moved.value, surface)
  const work = async (transaction: Surface): Promise<PlainRow | null> => {
    const { affected } = await transaction.dispatch(query).settled()
    return affected === 0 ? null : findRow(transaction, entity, isKey)
  }
  return surface instanceof SerialTransaction ? work(surface) : surface.transaction(work)
}

/**
 * Changes the rows that fulfil conditions and tells how many there were.
 * @throws InvalidArgumentException without a change.
 */
export async function updateRows(
  surface: Surface,
  entity: AnyEntity,
  conditions: readonly Condition[],
  values: unknown,
): Promise<number> {
  const changes = changedAssignments(entity, values)
  const plan = { table: entity.table, changes, conditions, returning: [] }
  const { affected } = await surface.dispatch(compileUpdate(plan, surface.dialect)).settled()
  return affected
}

/** Deletes the rows that fulfil conditions and tells how many there were. */
export async function deleteRows(
  surface: Surface,
  { table }: AnyEntity,
  conditions: readonly Condition[],
): Promise<number> {
  const query = compileDelete({ table, conditions, returning: [] }, surface.dialect)
  return (await surface.dispatch(query).settled()).affected
}

/**
 * The conditions of a plan that is nothing but conditions.
 * @throws InvalidArgumentException for a plan with an order, say, which a write would ignore.
 */
export function conditionsAlone(
  call: string,
  { conditions, orderings, limit, offset, seek, lock }: SelectPlan,
  relations: readonly string[],
): readonly Condition[] {
  const ignored = Object.entries({
    order: orderings.length > 0,
    limit: limit !== null,
    offset: offset > 0,
    seek: seek !== null,
    lock: lock !== null,
    with: relations.length > 0,
  })
  const present = ignored.filter(([, isPresent]) => isPresent).map(([name]) => `${name}()`)
  if (present.length === 0) return conditions
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${call} writes every row that fulfils the conditions; the selection's ${present.join(', ')} would be ignored, leave it out`,
  )
}
