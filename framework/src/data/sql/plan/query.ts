/**
 * A statement in the words of one database, and the values bound to it. What other builders compile,
 * such as kysely's `CompiledQuery`, has the same two fields and is accepted wherever this is.
 */
export interface Query {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /**
   * With `raw`, rows are lists in the order of the selected columns and hold the database's own
   * values, digit for digit: the driver converts nothing. Without it, rows are objects by column name.
   */
  readonly raw?: boolean
}
