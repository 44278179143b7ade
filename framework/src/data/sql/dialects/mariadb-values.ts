import type { ColumnReference } from '../plan/column-reference.ts'
import { numberReaders } from '../values/column-readers.ts'
import { hasDigits } from '../values/decimal.ts'
import type { ValueDialect } from './value-dialect.ts'

/** The values of MariaDB. */
export const mariadbValues: ValueDialect = {
  readers: numberReaders,
  holdsNul: true,
  refuseInexact: () => undefined,
  decimal: (digits) => digits,
  cursorDecimal: (text, column) => (fitsCompared(text, column) ? text : undefined),
  // It has no infinities.
  cursorUnbounded: () => undefined,
  // It takes a text with anything behind the fraction for no moment at all, and finds nothing.
  comparesZones: false,
}

/**
 * The type a decimal is compared in, since a bound text would be taken for a double: all digits the
 * database can have, with room for those the column has before the point.
 */
export function comparedDecimal({ precision, scale }: ColumnReference): string {
  return `DECIMAL(${maxDigits}, ${comparedScale(precision - scale)})`
}

/** Whether a text keeps every digit in the type that `comparedDecimal` names. */
export function fitsCompared(text: string, { precision, scale }: ColumnReference): boolean {
  const behind = comparedScale(precision - scale)
  return hasDigits(text, maxDigits - behind, behind)
}

const maxDigits = 65

function comparedScale(before: number): number {
  return Math.min(30, maxDigits - before)
}
