import type { ColumnReader, Dialect } from '../dialects/dialect.ts'
import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import { safeInteger } from '../values/column-readers.ts'
import { exactDigits } from '../values/decimal.ts'

/**
 * The reader of a column of a statement of one's own. Unlike a column of a table it may be computed,
 * and each database has another type for a sum, an average or a comparison; what is read is the same.
 * @throws InvalidArgumentException (E_ENTITY) for a decimal that the database cannot represent.
 */
export function computedReader(column: ColumnReference, dialect: Dialect): ColumnReader {
  if (column.kind === 'decimal') dialect.values.refuseInexact(column)
  return computed[column.kind] ?? dialect.values.readers[column.kind]
}

const computed: Readonly<Partial<Record<ColumnKind, ColumnReader>>> = {
  // A sum of integers of 32 bits may have more.
  integer: (raw, column) => safeInteger(numberIn(raw), column),
  'safe-integer': (raw, column) => safeInteger(numberIn(raw), column),
  bigint: bigintIn,
  decimal: (raw, { scale }) => decimalIn(raw, scale),
  float: numberIn,
  boolean: booleanIn,
  text: textIn,
}

/** Whole numbers, decimals and doubles in the notations of the databases. */
const numeric = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const words: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity'])

function numberIn(raw: unknown): number | undefined {
  if (typeof raw === 'number') return raw
  if (typeof raw === 'bigint') return Number(raw)
  if (typeof raw !== 'string') return undefined
  return numeric.test(raw) || words.has(raw) ? Number(raw) : undefined
}

// A sum of 64-bit integers is a decimal in some databases, without digits after the point.
function bigintIn(raw: unknown): bigint | undefined {
  if (typeof raw === 'bigint') return raw
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? BigInt(raw) : undefined
  if (typeof raw !== 'string' || !/^-?\d+$/.test(raw)) return undefined
  return BigInt(raw)
}

const booleans: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ['t', true],
  ['f', false],
  ['1', true],
  ['0', false],
  [true, true],
  [false, false],
])

function booleanIn(raw: unknown): boolean | undefined {
  if (typeof raw === 'number' || typeof raw === 'bigint') return Number(raw) !== 0
  return booleans.get(raw)
}

function textIn(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw
  const isWhole = typeof raw === 'bigint' || Number.isSafeInteger(raw)
  return isWhole ? String(raw) : undefined
}

function decimalIn(raw: unknown, scale: number): string | undefined {
  if (typeof raw === 'bigint') return withDigits(String(raw), scale)
  if (typeof raw === 'number') return Number.isFinite(raw) ? ofDouble(raw, scale) : undefined
  if (typeof raw !== 'string') return undefined
  if (/^-?\d+(?:\.\d+)?$/.test(raw)) return withDigits(raw, scale)
  return numeric.test(raw) ? ofDouble(Number(raw), scale) : undefined
}

// What follows the exact digits is an error of the arithmetic of doubles.
function ofDouble(number: number, scale: number): string {
  const rounded = Number(number.toPrecision(exactDigits))
  const text = rounded.toFixed(scale)
  if (Number(text) === rounded) return withDigits(text, scale)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(rounded)) ?? []
  return withDigits(sign + moved(whole, fraction, Number(exponent)), scale)
}

/** The digits of a number written with an exponent, without one. */
function moved(whole: string, fraction: string, exponent: number): string {
  const digits = whole + fraction
  const point = whole.length + exponent
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  const padded = digits.padEnd(point, '0')
  const rest = padded.slice(point)
  return rest === '' ? padded : `${padded.slice(0, point)}.${rest}`
}

/** At least `scale` digits after the point, and beyond them none that say nothing. */
function withDigits(text: string, scale: number): string {
  const [whole = '', fraction = ''] = text.split('.')
  const needed = fraction.replace(/0+$/, '').padEnd(scale, '0')
  const digits = needed === '' ? whole : `${whole}.${needed}`
  return /^-[0.]*$/.test(digits) ? digits.slice(1) : digits
}
