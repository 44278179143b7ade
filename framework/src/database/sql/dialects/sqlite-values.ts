import { InvalidArgumentException } from '../../../base/errors.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import { numberOf, numberReaders } from '../values/column-readers.ts'
import type { ValueDialect } from './value-dialect.ts'

/** The value dialect of SQLite, which stores a decimal as an integer or a double. */
export const sqliteValues: ValueDialect = {
  readers: { ...numberReaders, decimal: numberToDecimal },
  refuseInexact,
  // It compares numbers, and a double is exact for the digits that a column can have here.
  decimal: Number,
  cursorDecimal: (text, column) => {
    refuseInexact(column)
    const isNumber = /^-?\d{1,30}(\.\d{1,30})?(e[+-]\d{1,3})?$/.test(text)
    return isNumber && Number.isFinite(Number(text)) ? Number(text) : undefined
  },
  // It treats NaN as NULL.
  cursorNonFinite: (word) => (word === 'NaN' ? undefined : Number(word)),
  comparesZones: true,
}

function numberToDecimal(raw: unknown, { scale }: ColumnReference): string | undefined {
  const number = numberOf(raw)
  return number === undefined ? undefined : decimalText(number, scale)
}

/** A decimal with the digits of its column. Excess digits that SQLite let in are all shown. */
export function decimalText(number: number, scale: number): string {
  const text = number.toFixed(scale)
  return Number(text) === number ? text : String(number)
}

/**
 * Rejects a decimal that SQLite cannot store exactly: a double has 15 exact digits.
 * @throws InvalidArgumentException (E_ENTITY).
 */
export function refuseInexact({ name, precision }: ColumnReference): void {
  if (precision <= exactDigits) return
  throw new InvalidArgumentException(
    'E_ENTITY',
    `${name} is a decimal of ${precision} digits, but SQLite is exact only up to ${exactDigits}; use text() or another database`,
  )
}

/** Decimal digits that survive a round trip through a double. */
export const exactDigits = 15
