import { invalidArgument } from '../../base/errors.ts'
import type { InvalidArgumentException } from '../../base/errors.ts'
import { isRecord } from '../../base/is-record.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'

/** A column and its new value. */
export interface Assignment {
  readonly column: EntityColumn
  readonly value: unknown
}

/** A row to insert: its columns, in their order, and the value of each. */
export interface NewRow {
  readonly columns: readonly EntityColumn[]
  readonly values: readonly unknown[]
}

/**
 * The row that an insert writes.
 * @throws InvalidArgumentException for an unknown property, for undefined, and for a missing value
 *   without a default.
 */
export function newRow(entity: AnyEntity, values: unknown): NewRow {
  if (!isRecord(values)) throw noValues(entity, values)
  const row: { columns: EntityColumn[]; values: unknown[] } = { columns: [], values: [] }
  const missing: EntityColumn[] = []
  let given = 0
  for (const column of entity.columns) {
    const { property, generate } = column
    if (Object.hasOwn(values, property)) {
      given += 1
      if (values[property] === undefined) throw undefinedValue(entity, property)
      row.values.push(values[property])
    } else if (generate !== null) row.values.push(generate())
    else {
      if (!column.isOptional) missing.push(column)
      continue
    }
    row.columns.push(column)
  }
  // Looking for properties that are no columns takes longer than all of the rest.
  if (given !== Object.keys(values).length) refuseUnknown(entity, values)
  if (missing.length === 0) return row
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
