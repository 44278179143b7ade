import { FrameworkError } from '../../base/errors.ts'
import type { Surface } from '../../database/surface.ts'
import { compileUpdate } from '../../database/sql/write/compile-update.ts'
import type { Change, UpdatePlan } from '../../database/sql/write/compile-update.ts'
import type { Condition } from '../../database/sql/plan/condition.ts'
import { SerialTransaction } from '../../database/serial-transaction.ts'
import type { AnyEntity } from '../entity/entity.ts'
import { changedAssignments } from './assignments.ts'
import { entityRows } from './hydrate-rows.ts'
import type { PlainRow } from './hydrate-rows.ts'
import { hasKey, isRow, movedKey } from './key-conditions.ts'
import { compileFind, findRow, queryRows } from './read-rows.ts'
import type { Soon } from './read-rows.ts'
import { renewed, withRenewals } from './renewals.ts'

/** Updates the row with a key and returns it, or null if there is none. */
export function updateRow(
  surface: Surface,
  entity: AnyEntity,
  key: unknown,
  values: unknown,
): Soon<PlainRow | null> {
  const given = changedAssignments(entity, values)
  const before = isRow(entity, key, surface.dialect)
  if (given.length === 0) return findRow(surface, entity, before)
  const moved = movedKey(entity, key, given)
  const isSame = moved === key && entity.deletedAt === null
  const after = isSame ? before : hasKey(entity, moved, surface.dialect)
  const { changes, expected } = withRenewals(entity, given, surface.dialect)
  const refuse = (row: PlainRow): Error => {
    const version = given.find(({ column }) => column.renewal === 'count')
    return new StaleRowError(entity.table, version?.value, row[version?.column.property ?? ''])
  }
  return changeRow(surface, entity, { before, after, changes, guards: expected, refuse })
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

/** A change of one row. */
interface RowChange {
  /** The conditions for the row, before and after the change. */
  readonly before: readonly Condition[]
  readonly after: readonly Condition[]
  readonly changes: readonly Change[]
  /** What the row must meet besides; where it does not, `refuse` makes the error. */
  readonly guards: readonly Condition[]
  readonly refuse: (row: PlainRow) => Error
}

/**
 * Changes one row and returns it, or null if there is none.
 * @throws the error of `refuse`, with the row as it is, where a guard does not hold.
 */
export function changeRow(
  surface: Surface,
  entity: AnyEntity,
  change: RowChange,
): Soon<PlainRow | null> {
  const { changes, before, guards } = change
  const plan = {
    table: entity.table,
    changes,
    conditions: guards.length === 0 ? before : [...before, ...guards],
    returning: entity.columns,
  }
  if (!surface.dialect.returnsUpdated) return changeAndRead(surface, entity, change, plan)
  const update = compileUpdate(plan, surface.dialect)
  return queryRows(surface, entity, update, ([row]) => row ?? unchanged(surface, entity, change))
}

// The update holds its lock until the transaction ends, so this reads what it wrote.
async function changeAndRead(
  surface: Surface,
  entity: AnyEntity,
  change: RowChange,
  plan: UpdatePlan,
): Promise<PlainRow | null> {
  const { dialect } = surface
  const update = compileUpdate({ ...plan, returning: [] }, dialect)
  if (surface.changeAndRead !== undefined) {
    const read = compileFind(entity, change.after, dialect)
    const [{ affected }, found] = await surface.changeAndRead(update, read)
    if (affected === 0) return unchanged(surface, entity, change)
    return entityRows(entity, found, dialect)[0] ?? null
  }
  const work = async (transaction: Surface): Promise<PlainRow | null> => {
    const { affected } = await transaction.run(update)
    if (affected === 0) return unchanged(transaction, entity, change)
    return findRow(transaction, entity, change.after)
  }
  return surface instanceof SerialTransaction ? work(surface) : surface.transaction(work)
}

async function unchanged(
  surface: Surface,
  entity: AnyEntity,
  { before, guards, refuse }: RowChange,
): Promise<null> {
  if (guards.length === 0) return null
  const row = await findRow(surface, entity, before)
  if (row === null) return null
  throw refuse(row)
}

/**
 * A row was updated by someone else since it was read: its version is another one than an update
 * expected. Nothing was changed.
 */
export class StaleRowError extends FrameworkError {
  /** The version that the update expected, and the one that the row has. */
  readonly expected: unknown
  readonly actual: unknown

  constructor(table: string, expected: unknown, actual: unknown) {
    super(
      'E_STALE_ROW',
      `${table}: the update expected version ${String(expected)}, but the row has ${String(actual)}; read it again and repeat the change`,
    )
    this.expected = expected
    this.actual = actual
  }
}
