import { invalidArgument } from '../../base/errors.ts'
import type { InvalidArgumentException } from '../../base/errors.ts'
import { isRecord } from '../../base/is-record.ts'
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
  if (!isRecord(values)) throw noValues(entity, values)
  const assignments: Assignment[] = []
  const missing: EntityColumn[] = []
  let given = 0
  for (const column of entity.columns) {
    if (Object.hasOwn(values, column.property)) {
      given += 1
      const value = values[column.property]
      if (value === undefined) throw undefinedValue(entity, column.property)
      assignments.push({ column, value })
    } else if (column.generate !== null) assignments.push({ column, value: column.generate() })
    else if (!column.isOptional) missing.push(column)
  }
  // Looking for properties that are no columns takes longer than all of the rest.
  if (given !== Object.keys(values).length) refuseUnknown(entity, values)
  if (missing.length === 0) return assignments
  throw invalidArgument(
    `${entity.table}: a new row needs ${missing.map(({ property }) => property).join(', ')}`,
  )
}

/**
 * The values of an update, in the order of the columns.
 * @throws InvalidArgumentException for an unknown property, and for undefined.
 */
export function changedAssignments(entity: AnyEntity, values: unknown): Assignment[] {
  if (!isRecord(values)) throw noValues(entity, values)
  const assignments: Assignment[] = []
  for (const column of entity.columns) {
    if (!Object.hasOwn(values, column.property)) continue
    const value = values[column.property]
    if (value === undefined) throw undefinedValue(entity, column.property)
    assignments.push({ column, value })
  }
  if (assignments.length !== Object.keys(values).length) refuseUnknown(entity, values)
  return assignments
}

function refuseUnknown(entity: AnyEntity, values: object): void {
  for (const property of Object.keys(values)) entity.column(property)
}

function undefinedValue({ table }: AnyEntity, property: string): InvalidArgumentException {
  return invalidArgument(`${table}.${property} is undefined; omit it, or use null for NULL`)
}

function noValues({ table }: AnyEntity, got: unknown): InvalidArgumentException {
  return invalidArgument(
    `${table}: values must be an object by property, got ${got === null ? 'null' : typeof got}`,
  )
}
