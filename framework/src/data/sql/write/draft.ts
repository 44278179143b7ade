import type { ColumnReference } from '../plan/column-reference.ts'
import type { Dialect } from '../dialects/dialect.ts'

/** A statement under way: the database it is for, and the values bound so far. */
export class Draft {
  readonly dialect: Dialect
  readonly parameters: unknown[] = []

  constructor(dialect: Dialect) {
    this.dialect = dialect
  }

  /** The name of a column, quoted. */
  name(column: ColumnReference): string {
    return this.dialect.columns.name(column)
  }

  /** The names of columns, quoted, between commas; for lists that are made for one statement. */
  names(columns: readonly ColumnReference[]): string {
    return columns.map((column) => this.dialect.columns.name(column)).join(', ')
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
    return this.dialect.comparand(this.place(bound), column)
  }
}
