import { InvalidArgumentException } from '../../../base/errors.ts'
import type { ColumnReference } from '../plan/column-reference.ts'

/** Whether a text is a decimal that a column holds digit for digit. */
export function fitsDecimal(text: string, { precision, scale }: ColumnReference): boolean {
  return hasDigits(text, precision - scale, scale)
}

/** Whether a text is a decimal with at most so many digits before and behind the point. */
function hasDigits(text: string, before: number, behind: number): boolean {
  const parts = /^-?(\d+)(?:\.(\d+))?$/.exec(text)
  if (parts === null) return false
  const [, whole = '', fraction = ''] = parts
  // Zeros in front of the number and behind its fraction are no digits of it.
  let first = 0
  while (whole.charAt(first) === '0') first += 1
  let last = fraction.length
  while (fraction.charAt(last - 1) === '0') last -= 1
  return whole.length - first <= before && last <= behind
}

/**
 * A decimal of SQLite, which keeps it as an integer or a double, in the digits its column has. Digits
 * that SQLite let in beyond those are all shown.
 */
export function decimalText(number: number, scale: number): string {
  const text = number.toFixed(scale)
  return Number(text) === number ? text : String(number)
}

/**
 * Refuses a decimal that SQLite cannot hold exactly: a double is sure of 15 digits.
 * @throws InvalidArgumentException (E_ENTITY).
 */
export function refuseInexact({ name, precision }: ColumnReference): void {
  if (precision <= sureDigits) return
  throw new InvalidArgumentException(
    'E_ENTITY',
    `${name} is a decimal of ${precision} digits, SQLite is exact up to ${sureDigits}; use text() or another database`,
  )
}

const sureDigits = 15

/**
 * The type a decimal is compared in on MariaDB, which would take a bound text for a double: all digits
 * the database can have, with room for those the column has before the point.
 */
export function comparedDecimal({ precision, scale }: ColumnReference): string {
  return `DECIMAL(${mostDigits}, ${comparedScale(precision - scale)})`
}

/** Whether a text keeps every digit in the type that `comparedDecimal` names. */
export function fitsCompared(text: string, { precision, scale }: ColumnReference): boolean {
  const behind = comparedScale(precision - scale)
  return hasDigits(text, mostDigits - behind, behind)
}

const mostDigits = 65

function comparedScale(before: number): number {
  return Math.min(30, mostDigits - before)
}
