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

/** What happens to a row when the row it refers to is deleted. */
export type OnDelete = 'restrict' | 'cascade' | 'set null'

/** The column of another table that a column refers to. */
export interface ColumnTarget {
  readonly table: string
  readonly column: string
  readonly onDelete: OnDelete
}

/** The value for an insert that omits the column. */
export type ColumnDefault =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'now' }

/** The complete definition of a column. */
export interface ColumnDefinition extends ColumnReference {
  /** Maximum number of characters or bytes; null for no limit. */
  readonly length: number | null
  /** Whether a text has exactly `length` characters. */
  readonly isFixed: boolean
  /** Whether it is auto-incremented. */
  readonly isIdentity: boolean
  readonly isUnique: boolean
  readonly default: ColumnDefault | null
  readonly target: ColumnTarget | null
}
