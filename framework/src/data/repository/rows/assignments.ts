import { InvalidArgumentException } from '../../../base/errors.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'

/** A column and its new value. */
export interface Assignment {
  readonly column: EntityColumn
  readonly value: unknown
}

/**
 * The values of an insert, in the order of the columns.
 * @throws InvalidArgumentException for an unknown property, for undefined, and for a missing value
 *   without a default.
 */
export function newAssignments(entity: AnyEntity, values: unknown): Assignment[] {
  const given = givenValues(entity, values)
  const assignments: Assignment[] = []
  const missing: EntityColumn[] = []
  for (const column of entity.columns) {
    if (given.has(column)) assignments.push({ column, value: given.get(column) })
    else if (column.generate !== null) assignments.push({ column, value: column.generate() })
    else if (!column.isOptional) missing.push(column)
  }
  if (missing.length === 0) return assignments
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${entity.table}: a new row needs ${missing.map(({ property }) => property).join(', ')}`,
  )
}

/**
 * The values of an update, in the order of the columns.
 * @throws InvalidArgumentException for an unknown property, and for undefined.
 */
export function changedAssignments(entity: AnyEntity, values: unknown): Assignment[] {
  const given = givenValues(entity, values)
  return entity.columns
    .filter((column) => given.has(column))
    .map((column) => ({ column, value: given.get(column) }))
}

function givenValues(entity: AnyEntity, values: unknown): Map<EntityColumn, unknown> {
  if (typeof values !== 'object' || values === null) throw noValues(entity, values)
  const given = new Map<EntityColumn, unknown>()
  for (const [property, value] of Object.entries(values)) {
    const column = entity.column(property)
    if (value === undefined) throw undefinedValue(entity, property)
    given.set(column, value)
  }
  return given
}

function undefinedValue({ table }: AnyEntity, property: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${table}.${property} is undefined; omit it, or use null for NULL`,
  )
}

function noValues({ table }: AnyEntity, got: unknown): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${table}: values must be an object by property, got ${got === null ? 'null' : typeof got}`,
  )
}
