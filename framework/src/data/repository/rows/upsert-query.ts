import { InvalidArgumentException } from '../../../base/errors.ts'
import { compileInsert } from '../../sql/write/compile-insert.ts'
import type { Dialect } from '../../sql/dialects/dialect.ts'
import type { Query } from '../../sql/plan/query.ts'
import { newAssignments } from './assignments.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'
import type { ColumnOf } from '../entity/row.ts'

/** Options of an upsert. */
export interface UpsertOptions<E extends AnyEntity> {
  /** Columns that are unique together and identify an existing row. */
  readonly by: readonly [ColumnOf<E>, ...ColumnOf<E>[]]
  /** Columns to update in an existing row. @default all given columns */
  readonly update?: readonly ColumnOf<E>[]
}

/**
 * An insert that updates an existing row instead, and returns the row either way.
 * @throws InvalidArgumentException for an invalid value, and when a column of `by` or `update` is
 *   unknown or has no value.
 */
export function upsertQuery<E extends AnyEntity>(
  entity: E,
  values: unknown,
  { by, update }: UpsertOptions<E>,
  dialect: Dialect,
): Query {
  const assignments = newAssignments(entity, values)
  const given = assignments.map(({ column }) => column)
  const unique = by.map((property) => givenColumn(entity, given, property))
  const rest = given.filter((column) => !column.isKey && !unique.includes(column))
  const changed = update?.map((property) => givenColumn(entity, given, property)) ?? rest
  return compileInsert(
    {
      table: entity.table,
      columns: given,
      rows: [assignments.map(({ value }) => value)],
      conflict: { columns: unique, update: changed },
      returning: entity.columns,
    },
    dialect,
  )
}

function givenColumn(
  entity: AnyEntity,
  given: readonly EntityColumn[],
  property: string,
): EntityColumn {
  const column = entity.column(property)
  if (given.includes(column)) return column
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${entity.table}: an upsert by or of ${property} needs a value for it`,
  )
}
