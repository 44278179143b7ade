import { textReaders } from '../values/column-readers.ts'
import type { ValueDialect } from './value-dialect.ts'

/** The value dialect of PostgreSQL, which returns all values as text. */
export const postgresValues: ValueDialect = {
  readers: textReaders,
  refuseInexact: () => undefined,
  decimal: (digits) => digits,
  // A column may hold more digits than declared, and these words.
  cursorDecimal: (text) =>
    /^(NaN|-?Infinity|-?\d{1,1000}(\.\d{1,1000})?)$/.test(text) ? text : undefined,
  cursorNonFinite: (word) => word,
  comparesZones: true,
}
