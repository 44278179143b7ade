import { textReaders } from '../values/column-readers.ts'
import type { ValueDialect } from './value-dialect.ts'

/** The values of PostgreSQL, which gives all of them as texts. */
export const postgresValues: ValueDialect = {
  readers: textReaders,
  holdsNul: false,
  refuseInexact: () => undefined,
  decimal: (digits) => digits,
  // A column may hold more digits than it is declared to, and these words.
  cursorDecimal: (text) =>
    /^(NaN|-?Infinity|-?\d{1,1000}(\.\d{1,1000})?)$/.test(text) ? text : undefined,
  cursorUnbounded: (word) => word,
  comparesZones: true,
}
