import { InvalidArgumentException } from '../../base/errors.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { Condition } from '../../database/sql/plan/condition.ts'
import { Operators } from '../../database/sql/plan/operators.ts'
import { bindable } from '../../database/sql/values/bindable.ts'
import { isRecord } from '../../base/is-record.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'
import type { Assignment } from './assignments.ts'

/**
 * The conditions for the row with this key, unless it is deleted.
 * @throws InvalidArgumentException for an invalid key, including null.
 */
export function isRow(entity: AnyEntity, key: unknown, dialect: Dialect): readonly Condition[] {
  const isKey = hasKey(entity, key, dialect)
  return entity.undeleted.length === 0 ? isKey : [...isKey, ...entity.undeleted]
}

/**
 * The conditions for the row with this key, deleted or not.
 * @throws InvalidArgumentException for an invalid key, including null.
 */
export function hasKey(entity: AnyEntity, key: unknown, dialect: Dialect): readonly Condition[] {
  const { keys } = entity
  const [only, ...others] = keys
  if (only !== undefined && others.length === 0) return [isEqual(only, key, dialect)]
  if (!isRecord(key)) throw noKey(entity, key)
  return keys.map((column) => isEqual(column, key[column.property], dialect))
}

/** The key of a row after some changes. */
export function movedKey(
  { keys }: AnyEntity,
  key: unknown,
  changes: readonly Assignment[],
): unknown {
  const moved = changes.filter(({ column }) => column.isKey)
  if (moved.length === 0) return key
  if (keys.length === 1) return moved[0]?.value
  const values = Object.fromEntries(moved.map(({ column, value }) => [column.property, value]))
  return isRecord(key) ? { ...key, ...values } : values
}

function isEqual(column: EntityColumn, value: unknown, dialect: Dialect): Condition {
  bindable(column, value, dialect)
  return { type: 'comparison', column, operator: Operators.Equal, value }
}

function noKey({ table, keys }: AnyEntity, got: unknown): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_COLUMN_VALUE',
    `${table}: a key is an object { ${keys.map(({ property }) => property).join(', ')} }, got ${got === null ? 'null' : typeof got}`,
  )
}
