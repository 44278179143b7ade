import { invalidArgument } from '../../base/errors.ts'
import { compileInsert } from '../../database/sql/write/compile-insert.ts'
import type { InsertConflict } from '../../database/sql/write/compile-insert.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { Query } from '../../database/sql/plan/statement.ts'
import { timeText } from '../../database/sql/values/moment.ts'
import { unitsOf } from '../../database/sql/values/decimal.ts'
import { uuidText } from '../../database/sql/values/bindable.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'
import type { ColumnOf } from '../entity/row.ts'
import { knownOptions } from '../selection-arguments.ts'
import { newRow } from './assignments.ts'
import type { NewRow } from './assignments.ts'
import { insertQueries } from './insert-rows.ts'

/** Options of an upsert. */
export interface UpsertOptions<E extends AnyEntity> {
  /** Columns that are unique together and identify an existing row. */
  readonly by: readonly [ColumnOf<E>, ...ColumnOf<E>[]]
  /** Columns to update in an existing row. @default all given columns except `createdAt()` */
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
  options: UpsertOptions<E>,
  dialect: Dialect,
): Query {
  refuseNoOptions(entity, options)
  const { columns, values: row } = newRow(entity, values)
  const conflict = conflictOf(entity, columns, options)
  const { table, columns: returning } = entity
  return compileInsert({ table, columns, rows: [row], conflict, returning }, dialect)
}

/**
 * The upserts of a list of rows: see `insertQueries`.
 * @throws InvalidArgumentException as `upsertQuery`, and when two rows have the same values of `by`:
 *   which of them wins would differ from database to database.
 */
export function* upsertQueries<E extends AnyEntity>(
  entity: E,
  list: readonly unknown[],
  options: UpsertOptions<E>,
  dialect: Dialect,
): Generator<Query, void, undefined> {
  refuseNoOptions(entity, options)
  yield* insertQueries(entity, list, dialect, {
    check: distinctRows(entity, options.by),
    conflict: (columns) => conflictOf(entity, columns, options),
  })
}

function conflictOf<E extends AnyEntity>(
  entity: E,
  given: readonly EntityColumn[],
  { by, update }: UpsertOptions<E>,
): InsertConflict {
  const unique = by.map((property) => givenColumn(entity, given, property))
  // A key, and a value made for new rows such as that of `createdAt()`, stay what they were.
  const rest = given.filter((column) => {
    const isKept = column.isKey || (column.generate !== null && column.renewal === null)
    return !isKept && !unique.includes(column)
  })
  const changed = update?.map((property) => givenColumn(entity, given, property)) ?? rest
  if (entity.renewed.length === 0 || changed.length === 0) {
    return { columns: unique, update: changed }
  }
  const times = entity.renewed.filter((column) => column.renewal === 'now')
  const count = entity.renewed.filter((column) => column.renewal === 'count')
  const others = changed.filter((column) => column.renewal === null)
  return { columns: unique, update: [...others, ...times], count }
}

function refuseNoOptions<E extends AnyEntity>({ table }: E, options: UpsertOptions<E>): void {
  const given: unknown = options
  const by: unknown = typeof given === 'object' && given !== null ? options.by : undefined
  if (Array.isArray(by) && by.length > 0) {
    knownOptions('upsert', options, ['by', 'update'])
    return
  }
  throw invalidArgument(
    `${table}: an upsert needs the columns that identify a row, as in { by: ['email'] }`,
  )
}

function givenColumn(
  entity: AnyEntity,
  given: readonly EntityColumn[],
  property: string,
): EntityColumn {
  const column = entity.column(property)
  if (given.includes(column)) return column
  throw invalidArgument(`${entity.table}: an upsert by or of ${property} needs a value for it`)
}

/**
 * A function that takes the rows of a list one by one, and throws for one that is the same as another by
 * some columns. NULL equals nothing, so a row with one never is.
 */
export function distinctRows(entity: AnyEntity, by: readonly string[]): (row: NewRow) => void {
  const columns = by.map((property) => entity.column(property))
  const positions = new Map<string, number>()
  let position = -1
  return (row) => {
    position += 1
    const values = columns.map((column) => row.values[row.columns.indexOf(column)] ?? null)
    if (values.includes(null)) return
    const parts = columns.map((column, at) => identityOf(values[at], column))
    const identity = parts.length === 1 ? String(parts[0]) : JSON.stringify(parts)
    const other = positions.get(identity)
    if (other !== undefined) {
      throw invalidArgument(
        `${entity.table}: the rows at ${other} and ${position} of the list have the same ${by.join(', ')}; keep one of them`,
      )
    }
    positions.set(identity, position)
  }
}

function identityOf(value: unknown, { kind, scale }: EntityColumn): string {
  if (typeof value === 'string') {
    if (kind === 'decimal' && isDecimal.test(value)) return String(unitsOf(value, scale))
    if (kind === 'uuid') return uuidText(value) ?? value
    return kind === 'time' ? (timeText(value) ?? value) : value
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof Date) return String(value.getTime())
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}

const isDecimal = /^-?\d+(\.\d+)?$/
