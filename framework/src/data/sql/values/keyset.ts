import { InvalidArgumentException } from '../../../base/errors.ts'
import { fitsInt64, isStorable } from './bindable.ts'
import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import { fitsCompared, refuseInexact } from './decimal.ts'
import { Dialects } from '../dialects/dialect.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { parseMoment } from './moment.ts'
import { reader } from './reader.ts'
import { described } from './refused-value.ts'

/**
 * A raw value as the scalar of a cursor, exact to the last digit: numbers, booleans and texts as they
 * are; 64-bit integers, decimals and moments in the database's own digits, as a text.
 * @throws InvalidArgumentException (E_CURSOR) for NULL, json and bytes.
 */
export function keysetValue(
  column: ColumnReference,
  raw: unknown,
  dialect: Dialect,
): string | number | boolean {
  const keepsText = ownTexts.has(column.kind)
  const value = keepsText ? raw : reader(column, dialect)(raw)
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'number') throw refused(`${column.name} holds nothing that a cursor could`)
  // A decimal of SQLite; or an infinity, for which JSON has no word.
  return keepsText || !Number.isFinite(value) ? String(value) : value
}

// As what they are in TypeScript, these could lose digits.
const ownTexts: ReadonlySet<ColumnKind> = new Set(['decimal', 'timestamp', 'exact-timestamp'])

/**
 * The scalar of a cursor as the parameter to compare the column with.
 * @throws InvalidArgumentException (E_CURSOR) when it is none that `keysetValue` gives.
 */
export function keysetBinding(column: ColumnReference, scalar: unknown, dialect: Dialect): unknown {
  const bound = binders[column.kind](scalar, column, dialect)
  if (bound !== undefined) return bound
  throw refused(`it holds ${described(scalar, column)} for ${column.name}, which is ${column.kind}`)
}

function refused(reason: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_CURSOR',
    `the cursor cannot be used: ${reason}; start again without a cursor`,
  )
}

/** What is bound for a scalar, or undefined for one that the column never gave. */
type Binder = (scalar: unknown, column: ColumnReference, dialect: Dialect) => unknown

const binders: Readonly<Record<ColumnKind, Binder>> = {
  integer: (scalar) => (Number.isSafeInteger(scalar) ? scalar : undefined),
  bigint: boundBigint,
  decimal: (scalar, column, dialect) =>
    typeof scalar === 'string' ? boundDecimals[dialect.name](scalar, column) : undefined,
  float: (scalar, _, dialect) =>
    Number.isFinite(scalar) ? scalar : boundUnbounded(scalar, dialect),
  boolean: (scalar) => (typeof scalar === 'boolean' ? scalar : undefined),
  text: (scalar, _, dialect) => (isStorable(scalar, dialect) ? scalar : undefined),
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

type DecimalBinder = (text: string, column: ColumnReference) => string | number | undefined

const boundDecimals: Readonly<Record<Dialects, DecimalBinder>> = {
  sqlite: (text, column) => {
    refuseInexact(column)
    return /^-?\d{1,30}(\.\d{1,30})?(e[+-]\d{1,3})?$/.test(text) ? finite(Number(text)) : undefined
  },
  // A column of PostgreSQL may hold more digits than it is declared to, and these words.
  postgres: (text) =>
    unbounded.has(text) || /^-?\d{1,1000}(\.\d{1,1000})?$/.test(text) ? text : undefined,
  mariadb: (text, column) => (fitsCompared(text, column) ? text : undefined),
}

function finite(number: number): number | undefined {
  return Number.isFinite(number) ? number : undefined
}

const unbounded: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity'])

// MariaDB has no infinities, and SQLite takes NaN for NULL.
function boundUnbounded(scalar: unknown, dialect: Dialect): unknown {
  if (!unbounded.has(scalar)) return undefined
  if (dialect.name === Dialects.Postgres) return scalar
  return dialect.name === Dialects.SQLite && scalar !== 'NaN' ? Number(scalar) : undefined
}

// MariaDB takes a text with anything behind the fraction for no moment at all, and finds nothing.
function boundMoment(scalar: unknown, _: ColumnReference, dialect: Dialect): unknown {
  const moment = typeof scalar === 'string' ? parseMoment(scalar) : null
  if (moment === null) return undefined
  return moment.isZoned && dialect.name === Dialects.MariaDB ? undefined : scalar
}
