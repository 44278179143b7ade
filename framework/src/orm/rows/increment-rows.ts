import { FrameworkError } from '../../base/errors.ts'
import { unlessNested } from '../../database/nested-options.ts'
import { SerialTransaction } from '../../database/serial-transaction.ts'
import type { Surface } from '../../database/surface.ts'
import type { Condition } from '../../database/sql/plan/condition.ts'
import { compileSelect } from '../../database/sql/write/compile-select.ts'
import { compileUpdate } from '../../database/sql/write/compile-update.ts'
import type { Change } from '../../database/sql/write/compile-update.ts'
import type { AnyEntity } from '../entity/entity.ts'
import { Selection } from '../selection.ts'
import { changeRow } from './change-row.ts'
import type { PlainRow } from './hydrate-rows.ts'
import { incrementsOf } from './increments.ts'
import { isRow } from './key-conditions.ts'
import { renewed } from './renewals.ts'

/**
 * Adds amounts to columns of the row with a key and returns it, or null if there is none.
 * @throws FrameworkError E_INTEGER_RANGE when a sum does not fit its column; the row stays as it is.
 */
export async function incrementRow(
  surface: Surface,
  entity: AnyEntity,
  key: unknown,
  amounts: unknown,
): Promise<PlainRow | null> {
  const isKey = isRow(entity, key, surface.dialect)
  const increments = incrementsOf(entity, amounts, surface.dialect)
  return changeRow(surface, entity, {
    before: isKey,
    after: isKey,
    changes: renewed('increment', entity, increments.changes),
    guards: increments.guards,
    refuse: () => outOfRange(entity, increments.changes),
  })
}

/**
 * Adds amounts to columns of all rows that match conditions and returns their number.
 * @throws FrameworkError E_INTEGER_RANGE when a sum does not fit its column; all rows stay as they
 *   are.
 */
export async function incrementRows(
  surface: Surface,
  entity: AnyEntity,
  conditions: readonly Condition[],
  amounts: unknown,
): Promise<number> {
  const { changes, overflow } = incrementsOf(entity, amounts, surface.dialect)
  const probe = {
    ...new Selection(entity).plan(),
    columns: entity.keys,
    conditions: [...conditions, overflow],
    limit: 1,
  }
  const all = renewed('incrementAll', entity, changes)
  const plan = { table: entity.table, changes: all, conditions, returning: [] }
  const update = compileUpdate(plan, surface.dialect)
  const work = async (transaction: Surface): Promise<number> => {
    const full = await transaction.run(compileSelect(probe, surface.dialect))
    if (full.rows.length > 0) throw outOfRange(entity, changes)
    return (await transaction.run(update)).affected
  }
  if (surface instanceof SerialTransaction) return work(surface)
  // With a stricter level the probe could make the update fail because of a concurrent one.
  return surface.transaction(work, unlessNested(surface, { isolation: 'read-committed' }))
}

function outOfRange({ table }: AnyEntity, changes: readonly Change[]): FrameworkError {
  const names = changes.map(({ column }) => column.name).join(', ')
  return new FrameworkError(
    'E_INTEGER_RANGE',
    `${table}: adding to ${names} would leave the range of the column, so nothing was changed; use a wider column, such as bigint()`,
  )
}
