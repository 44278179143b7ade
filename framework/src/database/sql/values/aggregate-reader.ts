import { FrameworkError } from '../../../base/errors.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { AggregateTerm } from '../plan/select-plan.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import { decimalOf } from './decimal.ts'
import { reader } from './column-readers.ts'

/** Reads a term from the raw values that it takes; null for no rows. */
export type TermReader = (raw: unknown, count: unknown) => unknown

/**
 * The reader of a term, with the same result on every database: a sum has the type of its column, an
 * average is a number or, of decimals, a text with four digits more.
 */
export function termReader({ kind, column }: AggregateTerm, dialect: Dialect): TermReader {
  if (column === null || kind === 'count') return Number
  if (kind === 'minimum' || kind === 'maximum') return reader(column, dialect)
  return kind === 'sum' ? sumReader(column, dialect) : averageReader(column, dialect)
}

function sumReader(column: ColumnReference, dialect: Dialect): TermReader {
  if (column.kind === 'float') return reader(column, dialect)
  return (raw) => {
    if (raw === null) return null
    const { units, scale } = exactSum(raw, column, dialect)
    if (column.kind === 'decimal') return decimalOf(units, scale)
    if (column.kind === 'bigint') return units
    if (isSafe(units)) return Number(units)
    throw new FrameworkError(
      'E_INTEGER_RANGE',
      `the sum of ${column.name} is beyond 2^53, which a number cannot represent; declare it bigint()`,
    )
  }
}

function isSafe(units: bigint): boolean {
  return units <= BigInt(Number.MAX_SAFE_INTEGER) && units >= BigInt(Number.MIN_SAFE_INTEGER)
}

function averageReader(column: ColumnReference, dialect: Dialect): TermReader {
  const readFloat = reader({ ...column, kind: 'float' }, dialect)
  return (raw, rawCount) => {
    if (raw === null) return null
    if (column.kind === 'float') return Number(readFloat(raw)) / Number(rawCount)
    const count = BigInt(Number(rawCount))
    const { units, scale } = exactSum(raw, column, dialect)
    if (column.kind !== 'decimal') return ratio(units, count)
    return decimalOf(rounded(units * 10n ** averageDigits, count), scale + Number(averageDigits))
  }
}

// The nearest number: of a quotient with more bits than a number has, only its conversion rounds. The
// last bit stands for the remainder, so that what is above a half does not look like one.
function ratio(units: bigint, count: bigint): number {
  const scaled = (units < 0n ? -units : units) << extraBits
  const quotient = scaled / count
  const rounded = Number(scaled % count === 0n ? quotient : quotient | 1n) / 2 ** Number(extraBits)
  return units < 0n ? -rounded : rounded
}

const extraBits = 128n

/** Digits that an average of decimals has more than its column. */
const averageDigits = 4n

// Halves are rounded away from zero.
function rounded(units: bigint, count: bigint): bigint {
  const half = units < 0n ? -count : count
  return (units * 2n + half) / (count * 2n)
}

interface ExactSum {
  readonly units: bigint
  /** Digits of the units after the point. */
  readonly scale: number
}

function exactSum(raw: unknown, column: ColumnReference, { sums }: Dialect): ExactSum {
  const text = typeof raw === 'number' || typeof raw === 'bigint' ? String(raw) : raw
  const parts = typeof text === 'string' ? /^(-?\d+)(?:\.(\d+)|:(\d+))?$/.exec(text) : null
  if (parts === null) {
    throw new FrameworkError(
      'E_COLUMN_VALUE',
      `${column.name} contains values whose sum is not a number; declare the column with its actual type`,
    )
  }
  const [, digits = '0', fraction = '', low] = parts
  // A sum beyond 64 bits, in halves: see `sums.exact`.
  const units =
    low === undefined ? BigInt(digits + fraction) : BigInt(digits) * 2n ** 32n + BigInt(low)
  return {
    units,
    scale: sums.inUnits && column.kind === 'decimal' ? column.scale : fraction.length,
  }
}
