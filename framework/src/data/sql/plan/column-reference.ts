/** The type of a column, independent of the database. */
export type ColumnKind =
  | 'integer'
  | 'bigint'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'text'
  | 'date'
  | 'timestamp'
  | 'exact-timestamp'
  | 'json'
  | 'bytes'

/** A column in a statement. */
export interface ColumnReference {
  /** Name in SQL. */
  readonly name: string
  readonly kind: ColumnKind
  readonly isNullable: boolean
  /** Digits of a decimal: in total, and after the point. */
  readonly precision: number
  readonly scale: number
}
