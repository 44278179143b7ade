import { InvalidArgumentException } from '../../base/errors.ts'
import type { Condition } from '../../database/sql/plan/condition.ts'
import { Operators } from '../../database/sql/plan/operators.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'

/** What a selection does with deleted rows. */
export type DeletedRows = 'hidden' | 'shown' | 'only'

/** The conditions of a selection, with that on deleted rows. */
export function visibleRows(
  { deletedAt, undeleted }: AnyEntity,
  deleted: DeletedRows,
  conditions: readonly Condition[],
): readonly Condition[] {
  if (deletedAt === null || deleted === 'shown') return conditions
  return [...conditions, ...(deleted === 'hidden' ? undeleted : [isDeleted(deletedAt)])]
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
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${call} needs a soft delete, and rows of ${table} are deleted for good; define one with entity('${table}', { … }, { softDelete: 'deletedAt' })`,
  )
}
