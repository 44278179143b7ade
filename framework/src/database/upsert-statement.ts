import type { Dialect } from './sql/dialects/dialect.ts'
import { fixedSql, Statement } from './sql/plan/statement.ts'

/** A row to insert, and how to change it if it already exists. */
export interface Upsert {
  /** The name of the table, see `sql.name`. */
  readonly table: unknown
  /** The unique columns that identify a row. */
  readonly key: readonly string[]
  /** The values of a new row, by column. */
  readonly row: Readonly<Record<string, unknown>>
  /**
   * New values of an existing row, by column. Some databases assign them in order, so an expression
   * must not read a column that is listed before it.
   */
  readonly changes: Readonly<Record<string, Statement>>
  /** The columns to return. */
  readonly returning?: readonly string[]
}

/** An INSERT that updates the row if it already exists. */
export function upsertStatement(upsert: Upsert, dialect: Dialect): Statement {
  const { table, key, row, changes, returning = [] } = upsert
  const list = (columns: readonly string[]): string => columns.map(dialect.quote).join(', ')
  const between = Object.keys(changes).map((column) => `, ${dialect.quote(column)} = `)
  const first = `) ${dialect.onConflict(list(key))} ${between[0]?.slice(2)}`
  const end = returning.length === 0 ? '' : ` RETURNING ${list(returning)}`
  const values = Object.values(row)
  return new Statement(
    [
      'INSERT INTO ',
      ` (${list(Object.keys(row))}) VALUES (`,
      ...values.slice(1).map(() => ', '),
      first,
      ...between.slice(1),
      end,
    ],
    [table, ...values, ...Object.values(changes)],
  )
}

/** In the changes of an upsert: the value that the row would have been inserted with. */
export function insertedValue(column: string, dialect: Dialect): Statement {
  return fixedSql(dialect.inserted(dialect.quote(column)))
}

/** Changes of an upsert that set columns to the values of the new row. */
export function insertedValues(
  columns: readonly string[],
  dialect: Dialect,
): Readonly<Record<string, Statement>> {
  return Object.fromEntries(columns.map((column) => [column, insertedValue(column, dialect)]))
}
