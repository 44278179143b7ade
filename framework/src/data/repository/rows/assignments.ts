import { InvalidArgumentException } from '../../../base/errors.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'

/** A column and the value a statement gives it. */
export interface Assignment {
  readonly column: EntityColumn
  readonly value: unknown
}

/**
 * What an insert writes, in the order of the columns.
 * @throws InvalidArgumentException for a property that is no column, for undefined, and when a column
 *   has no value and the database has none for it either.
 */
export function newAssignments(entity: AnyEntity, values: unknown): Assignment[] {
  const assignments = changedAssignments(entity, values)
  const given = new Set(assignments.map(({ column }) => column))
  const missing = entity.columns.filter((column) => !column.isOptional && !given.has(column))
  if (missing.length === 0) return assignments
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${entity.table}: a new row needs ${missing.map(({ property }) => property).join(', ')}`,
  )
}

/**
 * What an update writes, in the order of the columns.
 * @throws InvalidArgumentException for a property that is no column, and for undefined.
 */
export function changedAssignments(entity: AnyEntity, values: unknown): Assignment[] {
  if (typeof values !== 'object' || values === null) throw noValues(entity, values)
  const given = new Map<EntityColumn, unknown>()
  for (const [property, value] of Object.entries(values)) {
    const column = entity.column(property)
    if (value === undefined) throw undefinedValue(entity, property)
    given.set(column, value)
  }
  return entity.columns
    .filter((column) => given.has(column))
    .map((column) => ({ column, value: given.get(column) }))
}

function undefinedValue({ table }: AnyEntity, property: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${table}.${property} is undefined; leave it out, or write null if NULL is meant`,
  )
}

function noValues({ table }: AnyEntity, came: unknown): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${table}: values are an object by property, got ${came === null ? 'null' : typeof came}`,
  )
}
