import type { ColumnReference } from '../plan/column-reference.ts'
import { comparedDecimal } from '../values/decimal.ts'
import { Dialects } from '../dialects/dialect.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { quotedColumn } from './quoted-columns.ts'

/** A statement under way: the database it is for, and the values bound so far. */
export class Draft {
  readonly dialect: Dialect
  readonly parameters: unknown[] = []

  constructor(dialect: Dialect) {
    this.dialect = dialect
  }

  /** The name of a column, quoted. */
  name(column: ColumnReference): string {
    return quotedColumn(column, this.dialect)
  }

  /** The names of columns, quoted, between commas; for lists that are made for one statement. */
  names(columns: readonly ColumnReference[]): string {
    return columns.map((column) => quotedColumn(column, this.dialect)).join(', ')
  }

  /** Binds a value and gives its place. */
  place(bound: unknown): string {
    return this.dialect.placeholder(this.parameters.push(bound))
  }

  /**
   * Binds a value (see `bindable`) and gives its place beside a column that it is compared with, with
   * the cast that keeps the comparison exact.
   */
  comparand(column: ColumnReference, bound: unknown): string {
    const place = this.place(bound)
    if (this.dialect.name === Dialects.Postgres) {
      // A number too large for an int4 column finds nothing, as elsewhere, instead of failing.
      return column.kind === 'integer' || column.kind === 'bigint' ? `${place}::int8` : place
    }
    const isText = this.dialect.name === Dialects.MariaDB && column.kind === 'decimal'
    return isText ? `CAST(${place} AS ${comparedDecimal(column)})` : place
  }
}
