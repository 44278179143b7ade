/**
 * A compiled statement and its bound values. The output of other builders, such as kysely's
 * `CompiledQuery`, has the same two fields and is accepted wherever this is.
 */
export interface Query {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /**
   * With `raw`, rows are lists in the order of the selected columns and contain the values exactly
   * as the database returns them, unconverted. Without it, rows are objects by column name.
   */
  readonly raw?: boolean
  /** Whether the result has `details`. */
  readonly details?: boolean
}
