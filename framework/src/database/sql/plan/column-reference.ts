import type { StandardSchema } from '../../../base/schema/standard-schema.ts'

/** The type of a column, independent of the database. */
export type ColumnKind =
  | 'integer'
  | 'safe-integer'
  | 'bigint'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'text'
  | 'uuid'
  | 'enumeration'
  | 'date'
  | 'time'
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
  /** The texts that an enumeration may have. */
  readonly members?: readonly string[]
  /** Checks the documents of a JSON column. */
  readonly schema?: StandardSchema | null
}
