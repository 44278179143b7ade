import type { ColumnReference } from './column-reference.ts'

/** What becomes of a row when the row it refers to is deleted. */
export type OnDelete = 'restrict' | 'cascade' | 'set null'

/** The column of another table that a column refers to. */
export interface ColumnTarget {
  readonly table: string
  readonly column: string
  readonly onDelete: OnDelete
}

/** What an insert that leaves the column out gets. */
export type ColumnDefault =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'now' }

/** A column of a table that is made, complete. */
export interface ColumnDefinition extends ColumnReference {
  /** Most characters of a text or bytes of bytes; null is no limit. */
  readonly length: number | null
  /** Whether a text has exactly `length` characters. */
  readonly isFixed: boolean
  /** Whether the database counts it up by itself. */
  readonly isIdentity: boolean
  readonly isUnique: boolean
  readonly default: ColumnDefault | null
  readonly target: ColumnTarget | null
}
