import { epochMs } from '../../base/time/epoch-seconds.ts'
import type { Surface } from '../../database/surface.ts'
import type { Condition } from '../../database/sql/plan/condition.ts'
import { compileDelete } from '../../database/sql/write/compile-delete.ts'
import { compileUpdate } from '../../database/sql/write/compile-update.ts'
import { invalidArgument } from '../../base/errors.ts'
import { Operators } from '../../database/sql/plan/operators.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'
import { hasKey } from './key-conditions.ts'
import { renewed } from './renewals.ts'

/**
 * Deletes the rows that match conditions and returns their number. With a soft delete they get the
 * time instead, except those that have one.
 */
export async function deleteRows(
  surface: Surface,
  entity: AnyEntity,
  conditions: readonly Condition[],
): Promise<number> {
  const { deletedAt } = entity
  if (deletedAt === null) return removeRows(surface, entity, conditions)
  const { undeleted } = entity
  const others = conditions.filter((condition) => !undeleted.includes(condition))
  return mark(surface, entity, deletedAt, new Date(epochMs()), [...others, ...undeleted])
}

/** Removes the rows that match conditions from the table and returns their number. */
export async function removeRows(
  surface: Surface,
  { table }: AnyEntity,
  conditions: readonly Condition[],
): Promise<number> {
  const query = compileDelete({ table, conditions, returning: [] }, surface.dialect)
  return (await surface.run(query)).affected
}

/**
 * Undoes the soft delete of the row with a key and returns whether there was one.
 * @throws InvalidArgumentException for an entity without soft delete.
 */
export async function restoreRow(
  surface: Surface,
  entity: AnyEntity,
  key: unknown,
): Promise<boolean> {
  const deletedAt = softDeleted('restore', entity)
  const conditions = [...hasKey(entity, key, surface.dialect), isDeleted(deletedAt)]
  return (await mark(surface, entity, deletedAt, null, conditions)) > 0
}

async function mark(
  surface: Surface,
  entity: AnyEntity,
  column: EntityColumn,
  value: Date | null,
  conditions: readonly Condition[],
): Promise<number> {
  const changes = renewed('delete', entity, [{ column, value }])
  const plan = { table: entity.table, changes, conditions, returning: [] }
  return (await surface.run(compileUpdate(plan, surface.dialect))).affected
}

/** The condition of rows that are deleted. */
export function isDeleted(column: EntityColumn): Condition {
  return { type: 'comparison', column, operator: Operators.IsNotNull, value: null }
}

/**
 * The column of the soft delete.
 * @throws InvalidArgumentException for an entity without one.
 */
export function softDeleted(call: string, { table, deletedAt }: AnyEntity): EntityColumn {
  if (deletedAt !== null) return deletedAt
  throw invalidArgument(
    `${call} needs a soft delete, and rows of ${table} are deleted for good; define one with entity('${table}', { … }, { softDelete: 'deletedAt' })`,
  )
}
