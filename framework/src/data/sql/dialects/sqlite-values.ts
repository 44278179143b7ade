import { InvalidArgumentException } from '../../../base/errors.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import { numberOf, numberReaders } from '../values/column-readers.ts'
import type { ValueDialect } from './value-dialect.ts'

/** The values of SQLite, which keeps a decimal as an integer or a double. */
export const sqliteValues: ValueDialect = {
  readers: { ...numberReaders, decimal: numberToDecimal },
  holdsNul: true,
  refuseInexact,
  // It compares numbers, and a double is exact for the digits a column can have here.
  decimal: Number,
  cursorDecimal: (text, column) => {
    refuseInexact(column)
    const isNumber = /^-?\d{1,30}(\.\d{1,30})?(e[+-]\d{1,3})?$/.test(text)
    return isNumber && Number.isFinite(Number(text)) ? Number(text) : undefined
  },
  // It takes NaN for NULL.
  cursorUnbounded: (word) => (word === 'NaN' ? undefined : Number(word)),
  comparesZones: true,
}

function numberToDecimal(raw: unknown, { scale }: ColumnReference): string | undefined {
  const number = numberOf(raw)
  return number === undefined ? undefined : decimalText(number, scale)
}

/** A decimal in the digits its column has. Digits that SQLite let in beyond those are all shown. */
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

/** Digits that a double gives back as they went in. */
export const sureDigits = 15
