/** What a column holds, whichever database it stands in. */
export type ColumnKind =
  | 'integer'
  | 'bigint'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'text'
  | 'timestamp'
  | 'exact-timestamp'
  | 'json'
  | 'bytes'

/** A column as statements see it. */
export interface ColumnReference {
  /** Name in SQL. */
  readonly name: string
  readonly kind: ColumnKind
  readonly isNullable: boolean
  /** Digits of a decimal, all of them and those after the point. */
  readonly precision: number
  readonly scale: number
}
