import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import type { ColumnReader } from '../values/column-readers.ts'

/** Which values one database supports, and their format. */
export interface ValueDialect {
  /** How to read the raw values of each kind of column. */
  readonly readers: Readonly<Record<ColumnKind, ColumnReader>>
  /**
   * Rejects a decimal column that the database cannot store exactly.
   * @throws InvalidArgumentException (E_ENTITY).
   */
  readonly refuseInexact: (column: ColumnReference) => void
  /** The parameter for a decimal whose digits fit its column. */
  readonly decimal: (digits: string) => string | number
  /** The parameter for a decimal in a cursor, or undefined for one that no row can have. */
  readonly cursorDecimal: (text: string, column: ColumnReference) => string | number | undefined
  /** The parameter for a non-finite float in a cursor, or undefined if no row can have it. */
  readonly cursorNonFinite: (word: NonFinite) => string | number | undefined
  /** Whether a timestamp in a cursor may have a time zone. */
  readonly comparesZones: boolean
}

/** A non-finite float, as text in a cursor. */
export type NonFinite = 'NaN' | 'Infinity' | '-Infinity'
