import type { ColumnReference } from '../plan/column-reference.ts'
import { numberReaders } from '../values/column-readers.ts'
import { hasDigits } from '../values/decimal.ts'
import type { ValueDialect } from './value-dialect.ts'

/** The value dialect of MariaDB. */
export const mariadbValues: ValueDialect = {
  readers: numberReaders,
  refuseInexact: () => undefined,
  decimal: (digits) => digits,
  cursorDecimal: (text, column) => (fitsCompared(text, column) ? text : undefined),
  // There are no infinities.
  cursorNonFinite: () => undefined,
  // With anything after the fraction it does not recognise a timestamp, and finds nothing.
  comparesZones: false,
}

/**
 * The type for comparing a decimal, since a bound text would be compared as a double: the maximum
 * number of digits, with room for those that the column has before the point.
 */
export function comparedDecimal({ precision, scale }: ColumnReference): string {
  return `DECIMAL(${maxDigits}, ${comparedScale(precision - scale)})`
}

/** Whether a text keeps all digits in the type of `comparedDecimal`. */
export function fitsCompared(text: string, { precision, scale }: ColumnReference): boolean {
  const after = comparedScale(precision - scale)
  return hasDigits(text, maxDigits - after, after)
}

const maxDigits = 65

function comparedScale(before: number): number {
  return Math.min(30, maxDigits - before)
}
