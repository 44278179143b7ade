import type { Dialect } from '../sql/dialects/dialect.ts'
import { fixedSql } from '../sql/plan/fixed-sql.ts'
import { sql } from '../sql/plan/statement.ts'
import type { Statement } from '../sql/plan/statement.ts'

/** A row to add, and what becomes of the one that is there already. */
export interface Upsert {
  /** The name of the table, see `sql.name`. */
  readonly table: unknown
  /** The unique columns that tell a row exists. */
  readonly key: readonly string[]
  /** The values of a new row, by column. */
  readonly row: Readonly<Record<string, unknown>>
  /**
   * What a row that exists gets, by column. Some databases assign one after the other: an expression
   * must not read a column that stands before it.
   */
  readonly changes: Readonly<Record<string, Statement>>
  /** The columns to give back. */
  readonly returning?: readonly string[]
}

/** An INSERT that changes the row instead when it exists. */
export function upsertStatement(
  { table, key, row, changes, returning = [] }: Upsert,
  dialect: Dialect,
): Statement {
  const onConflict = fixedSql(dialect.onConflict(key.map(dialect.quote).join(', ')))
  const assignments = Object.entries(changes).map(
    ([column, value]) => sql`${sql.name(column)} = ${value}`,
  )
  const returned = returning.length === 0 ? sql`` : sql` RETURNING ${columnList(returning)}`
  return sql`INSERT INTO ${table} (${columnList(Object.keys(row))})
    VALUES (${sql.list(Object.values(row))}) ${onConflict} ${sql.list(assignments)}${returned}`
}

/** In the changes of an upsert, the value that the new row was to have. */
export function insertedValue(column: string, dialect: Dialect): Statement {
  return fixedSql(dialect.inserted(dialect.quote(column)))
}

/** The changes of an upsert that give columns the values of the new row. */
export function insertedValues(
  columns: readonly string[],
  dialect: Dialect,
): Readonly<Record<string, Statement>> {
  return Object.fromEntries(columns.map((column) => [column, insertedValue(column, dialect)]))
}

function columnList(columns: readonly string[]): Statement {
  return sql.list(columns.map((column) => sql.name(column)))
}
