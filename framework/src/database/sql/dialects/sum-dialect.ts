import type { ColumnReference } from '../plan/column-reference.ts'
import { decimalOf } from '../values/decimal.ts'

/** How sums and averages are computed without losing a digit. */
export interface SumDialect {
  /** The exact sum of a numeric column; takes its quoted name. It may be two halves, `high:low`. */
  readonly exact: (name: string, column: ColumnReference) => string
  /** The sum of a column other than a float, to be compared and ordered by. */
  readonly compared: (name: string, column: ColumnReference) => string
  /** The kind of `compared`, and the value of it for a sum of any size, in its smallest unit. */
  readonly comparedKind: 'decimal' | 'text'
  readonly comparand: (units: bigint, scale: number) => string
  /** The average as a double, to be compared and ordered by. */
  readonly average: (name: string) => string
  /** Whether sums of decimals are whole numbers of the smallest unit. */
  readonly inUnits: boolean
}

/** Digits of a sum: as many as every database compares exactly, and more than one can have. */
export const sumDigits = 50

/** For databases whose sums of decimals and of 64-bit integers are exact decimals. */
export function exactSums(double: (name: string) => string): SumDialect {
  const sum = (name: string): string => `SUM(${name})`
  return {
    exact: sum,
    compared: sum,
    comparedKind: 'decimal',
    comparand: (units, scale) => decimalOf(nearest(units, 10n ** BigInt(sumDigits) - 1n), scale),
    average: (name) => `AVG(${double(name)})`,
    inUnits: false,
  }
}

// Beyond what a sum can be, every number compares alike.
function nearest(units: bigint, most: bigint): bigint {
  if (units > most) return most
  return units < -most ? -most : units
}

/**
 * For a database that stores decimals as doubles and sums integers in 64 bits: decimals are summed
 * as whole numbers, and the halves of wide numbers separately.
 */
export const sumsOfHalves: SumDialect = {
  exact: (name, column) => {
    if (column.kind === 'float') return `SUM(${name})`
    const units = inUnits(name, column)
    const isWide = column.kind === 'decimal' ? column.precision > 9 : column.kind !== 'integer'
    if (!isWide) return `SUM(${units})`
    return `SUM(${units} >> 32) || ':' || SUM(${units} & ${lowHalf})`
  },
  compared: (name, column) => sortableSum(inUnits(name, column)),
  comparedKind: 'text',
  comparand: sortableUnits,
  average: (name) => `AVG(${name})`,
  inUnits: true,
}

const lowHalf = 2n ** 32n - 1n

// Two halves as one text of digits, which compares as the number would. The offset makes the upper one
// positive.
function sortableSum(units: string): string {
  const low = `SUM(${units} & ${lowHalf})`
  const high = `SUM(${units} >> 32) + (${low} >> 32) + ${highOffset}`
  return `CASE WHEN COUNT(${units}) > 0 THEN printf('%019d%010d', ${high}, ${low} & ${lowHalf}) END`
}

function sortableUnits(units: bigint): string {
  const high = (units >> 32n) + highOffset
  if (high < 0n) return '-' // sorts before all digits
  if (high > 2n * highOffset) return ':' // and after them
  return String(high).padStart(19, '0') + String(units & lowHalf).padStart(10, '0')
}

const highOffset = 2n ** 62n

function inUnits(name: string, { kind, scale }: ColumnReference): string {
  return kind === 'decimal' ? `CAST(ROUND(${name} * ${10 ** scale}) AS INTEGER)` : name
}
