import type { ColumnReference } from '../plan/column-reference.ts'
import type { Dialect } from '../dialects/dialect.ts'

/** A statement under construction: its dialect, and the values bound so far. */
export class Draft {
  readonly dialect: Dialect
  readonly parameters: unknown[] = []
  /** The table that the conditions are about; null without any. */
  readonly table: string | null

  constructor(dialect: Dialect, table: string | null = null) {
    this.dialect = dialect
    this.table = table
  }

  /** The quoted name of a column. */
  name(column: ColumnReference): string {
    return this.dialect.columns.name(column)
  }

  /** What `<` and `>` compare for a column. */
  ranked(column: ColumnReference): string {
    return this.dialect.rankedBy(this.name(column), column)
  }

  /** The quoted names of columns, comma-separated; for lists made for a single statement. */
  names(columns: readonly ColumnReference[]): string {
    return columns.map((column) => this.dialect.columns.name(column)).join(', ')
  }

  /** Binds a value and returns its placeholder. */
  bind(bound: unknown): string {
    return this.dialect.placeholder(this.parameters.push(bound))
  }

  /**
   * Binds a value (see `bindable`) that is compared with a column, and returns its placeholder with
   * the cast that keeps the comparison exact.
   */
  comparand(column: ColumnReference, bound: unknown): string {
    return this.dialect.comparand(this.bind(bound), column)
  }
}
