import type { ColumnReference } from './column-reference.ts'

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
