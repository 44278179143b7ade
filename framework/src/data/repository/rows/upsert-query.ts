import { InvalidArgumentException } from '../../../base/errors.ts'
import { compileInsert } from '../../sql/write/compile-insert.ts'
import type { Dialect } from '../../sql/dialects/dialect.ts'
import type { Query } from '../../sql/plan/query.ts'
import { newAssignments } from './assignments.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'
import type { ColumnOf } from '../entity/row.ts'

/** What an upsert is told. */
export interface UpsertOptions<E extends AnyEntity> {
  /** Columns that are unique together: they tell whether the row exists. */
  readonly by: readonly [ColumnOf<E>, ...ColumnOf<E>[]]
  /** Columns that take the new value when it does; all that are given unless named. */
  readonly update?: readonly ColumnOf<E>[]
}

/**
 * An insert that changes the row instead when it exists, and gives it back either way.
 * @throws InvalidArgumentException for a value that cannot be written, and when a column of `by` or
 *   `update` is unknown or has no value.
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
    `${entity.table}: an upsert that looks at or changes ${property} needs a value for it`,
  )
}
