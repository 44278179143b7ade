import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import type { ColumnReader } from '../values/column-readers.ts'

/** Which values one database can hold, and in which form it takes and gives them. */
export interface ValueDialect {
  /** What becomes of the raw values of each kind of column. */
  readonly readers: Readonly<Record<ColumnKind, ColumnReader>>
  /** Whether a text may hold a NUL. */
  readonly holdsNul: boolean
  /**
   * Refuses a decimal column whose digits the database does not keep exactly.
   * @throws InvalidArgumentException (E_ENTITY).
   */
  readonly refuseInexact: (column: ColumnReference) => void
  /** The parameter for a decimal, whose digits are known to fit into its column. */
  readonly decimal: (digits: string) => string | number
  /** The parameter for a decimal of a cursor, or undefined for one that no row can have. */
  readonly cursorDecimal: (text: string, column: ColumnReference) => string | number | undefined
  /** The parameter for a float of a cursor that is not finite, or undefined where no row has it. */
  readonly cursorUnbounded: (word: Unbounded) => string | number | undefined
  /** Whether a moment of a cursor may name its time zone. */
  readonly comparesZones: boolean
}

/** A float that is not finite, as the text it has in a cursor. */
export type Unbounded = 'NaN' | 'Infinity' | '-Infinity'
