import type { ColumnReference } from '../plan/column-reference.ts'

/** How sums and averages are computed without losing a digit. */
export interface SumDialect {
  /** The exact sum of a numeric column; takes its quoted name. It may be two halves, `high:low`. */
  readonly exact: (name: string, column: ColumnReference) => string
  /** The sum of a column other than a float, to be compared and ordered by. */
  readonly compared: (name: string, column: ColumnReference) => string
  /** The average as a double, to be compared and ordered by. */
  readonly average: (name: string) => string
  /** Whether sums of decimals are whole numbers of the smallest unit. */
  readonly inUnits: boolean
}

/** For databases whose sums of decimals and of 64-bit integers are exact decimals. */
export function exactSums(double: (name: string) => string): SumDialect {
  const sum = (name: string): string => `SUM(${name})`
  return {
    exact: sum,
    compared: sum,
    average: (name) => `AVG(${double(name)})`,
    inUnits: false,
  }
}

/**
 * For a database that stores decimals as doubles and sums integers in 64 bits: decimals are summed
 * as whole numbers, and the halves of wide numbers separately.
 */
export const sumsOfHalves: SumDialect = {
  exact: (name, column) => {
    if (column.kind === 'float') return `SUM(${name})`
    const units = inUnits(name, column)
    if (!isWide(column)) return `SUM(${units})`
    return `SUM(${units} >> 32) || ':' || SUM(${units} & 4294967295)`
  },
  compared: (name, column) => {
    const units = inUnits(name, column)
    return isWide(column) ? joinedHalves(units) : `SUM(${units})`
  },
  average: (name) => `AVG(${name})`,
  inUnits: true,
}

// A sum of more than 64 bits becomes a double, which is still greater or less than every integer.
function joinedHalves(units: string): string {
  const low = `SUM(${units} & 4294967295)`
  const high = `(SUM(${units} >> 32) + (${low} >> 32))`
  return (
    `CASE WHEN ${high} BETWEEN -2147483648 AND 2147483647` +
    ` THEN (${high} << 32) | (${low} & 4294967295)` +
    ` ELSE ${high} * 4294967296.0 + (${low} & 4294967295) END`
  )
}

function inUnits(name: string, { kind, scale }: ColumnReference): string {
  return kind === 'decimal' ? `CAST(ROUND(${name} * ${10 ** scale}) AS INTEGER)` : name
}

function isWide({ kind, precision }: ColumnReference): boolean {
  return kind === 'decimal' ? precision > 9 : kind !== 'integer'
}
