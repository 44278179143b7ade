import { InvalidArgumentException } from '../../../base/errors.ts'
import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import type { Dialect, NonFinite } from '../dialects/dialect.ts'
import { described, fitsInt64, uuidText, valueBinders } from './bindable.ts'
import type { Binder } from './bindable.ts'
import { parseMoment, timeText } from './moment.ts'
import { reader } from './column-readers.ts'

/**
 * A raw value as the scalar of a cursor, exact to the last digit: numbers, booleans and texts
 * unchanged; 64-bit integers, decimals and timestamps as the text of the database.
 * @throws InvalidArgumentException (E_CURSOR) for NULL, json and bytes.
 */
export function keysetValue(
  column: ColumnReference,
  raw: unknown,
  dialect: Dialect,
): string | number | boolean {
  const keepsText = keptAsText.has(column.kind)
  const value = keepsText ? raw : reader(column, dialect)(raw)
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'number') throw invalidCursor(`${column.name} has no value for a cursor`)
  // A decimal that the database returned as a number, or an infinity, which JSON lacks.
  return keepsText || !Number.isFinite(value) ? String(value) : value
}

// Converted to their TypeScript types, these could lose digits, or their case.
const keptAsText: ReadonlySet<ColumnKind> = new Set([
  'decimal',
  'uuid',
  'timestamp',
  'exact-timestamp',
])

/**
 * Converts the scalar of a cursor to the parameter to compare the column with.
 * @throws InvalidArgumentException (E_CURSOR) when it cannot come from `keysetValue`.
 */
export function keysetBinding(column: ColumnReference, scalar: unknown, dialect: Dialect): unknown {
  const bound = binders[column.kind](scalar, column, dialect)
  if (bound !== undefined) return bound
  throw invalidCursor(
    `it contains ${described(scalar, column)} for ${column.name}, which is ${column.kind}`,
  )
}

function invalidCursor(reason: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_CURSOR',
    `the cursor cannot be used: ${reason}; start again without a cursor`,
  )
}

// The kinds whose scalars are their values are bound as those are.
const binders: Readonly<Record<ColumnKind, Binder>> = {
  ...valueBinders,
  bigint: boundBigint,
  decimal: (scalar, column, dialect) =>
    typeof scalar === 'string' ? dialect.values.cursorDecimal(scalar, column) : undefined,
  float: (scalar, _, dialect) =>
    Number.isFinite(scalar) ? scalar : boundNonFinite(scalar, dialect),
  uuid: (scalar) => (uuidText(scalar) === null ? undefined : scalar),
  time: (scalar) => (timeText(scalar) === scalar ? scalar : undefined),
  timestamp: boundMoment,
  'exact-timestamp': boundMoment,
  json: () => undefined,
  bytes: () => undefined,
}

function boundBigint(scalar: unknown): bigint | undefined {
  if (typeof scalar !== 'string' || !/^-?\d{1,19}$/.test(scalar)) return undefined
  const value = BigInt(scalar)
  return fitsInt64(value) ? value : undefined
}

function boundNonFinite(scalar: unknown, dialect: Dialect): unknown {
  return isNonFinite(scalar) ? dialect.values.cursorNonFinite(scalar) : undefined
}

function isNonFinite(scalar: unknown): scalar is NonFinite {
  return scalar === 'NaN' || scalar === 'Infinity' || scalar === '-Infinity'
}

function boundMoment(scalar: unknown, _: ColumnReference, dialect: Dialect): unknown {
  const moment = typeof scalar === 'string' ? parseMoment(scalar) : null
  if (moment === null) return undefined
  return moment.isZoned && !dialect.values.comparesZones ? undefined : scalar
}
