import { FrameworkError } from '../../../base/errors.ts'
import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import { decimalText, refuseInexact } from './decimal.ts'
import { Dialects } from '../dialects/dialect.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { momentDigits, momentMs, parseMoment } from './moment.ts'

/** Makes of a raw value what a column holds in TypeScript; NULL is null. */
export type Reader = (raw: unknown) => unknown

/**
 * The reader of a column for rows that were asked for with `raw`.
 * It throws FrameworkError: E_INTEGER_RANGE for a whole number that a `number` cannot hold, and
 * E_COLUMN_VALUE when the database holds something else than the column is declared to.
 */
export function reader(column: ColumnReference, dialect: Dialect): Reader {
  if (column.kind === 'decimal' && dialect.name === Dialects.SQLite) refuseInexact(column)
  const read = readersOf[dialect.name][column.kind]
  return (raw) => {
    if (raw === null) return null
    const value = read(raw, column)
    if (value === undefined) throw unreadable(column)
    return value
  }
}

// These answer undefined for what they do not understand.
type ColumnReader = (raw: unknown, column: ColumnReference) => unknown

const sharedReaders = {
  text: textOf,
  timestamp: dateOf,
  'exact-timestamp': momentOf,
  json: documentOf,
} as const

// SQLite and MariaDB give numbers as numbers.
const readers: Readonly<Record<ColumnKind, ColumnReader>> = {
  ...sharedReaders,
  integer: (raw, column) => safeInteger(numberOf(raw), column),
  bigint: bigintOf,
  decimal: textOf,
  float: numberOf,
  boolean: booleanOf,
  bytes: bytesOf,
}

// PostgreSQL gives everything as a text.
const textReaders: Readonly<Record<ColumnKind, ColumnReader>> = {
  ...sharedReaders,
  integer: (raw, column) => safeInteger(digitsToNumber(raw), column),
  bigint: digitsToBigint,
  decimal: textOf,
  float: digitsToNumber,
  boolean: letterToBoolean,
  bytes: hexToBytes,
}

const readersOf: Readonly<Record<Dialects, Readonly<Record<ColumnKind, ColumnReader>>>> = {
  sqlite: { ...readers, decimal: numberToDecimal },
  postgres: textReaders,
  mariadb: readers,
}

function safeInteger(number: number | undefined, column: ColumnReference): number | undefined {
  if (number === undefined || Number.isSafeInteger(number)) return number
  if (!Number.isInteger(number)) return undefined
  throw new FrameworkError(
    'E_INTEGER_RANGE',
    `${column.name} holds a whole number beyond 2^53, which a number cannot hold; declare it bigint()`,
  )
}

function digitsToNumber(raw: unknown): number | undefined {
  if (typeof raw !== 'string' || raw === '') return undefined
  const number = Number(raw)
  return Number.isNaN(number) && raw !== 'NaN' ? undefined : number
}

function numberOf(raw: unknown): number | undefined {
  if (typeof raw === 'number') return raw
  return typeof raw === 'bigint' ? Number(raw) : undefined
}

function digitsToBigint(raw: unknown): bigint | undefined {
  try {
    return typeof raw === 'string' ? BigInt(raw) : undefined
  } catch {
    return undefined
  }
}

function bigintOf(raw: unknown): bigint | undefined {
  if (typeof raw === 'bigint') return raw
  return Number.isSafeInteger(raw) && typeof raw === 'number' ? BigInt(raw) : undefined
}

function numberToDecimal(raw: unknown, { scale }: ColumnReference): string | undefined {
  const number = numberOf(raw)
  return number === undefined ? undefined : decimalText(number, scale)
}

function letterToBoolean(raw: unknown): boolean | undefined {
  return raw === 't' ? true : raw === 'f' ? false : undefined
}

function booleanOf(raw: unknown): boolean | undefined {
  if (typeof raw === 'boolean') return raw
  const number = numberOf(raw)
  return number === undefined ? undefined : number !== 0
}

function textOf(raw: unknown): string | undefined {
  return typeof raw === 'string' ? raw : undefined
}

function dateOf(raw: unknown): Date | undefined {
  const ms = typeof raw === 'string' ? momentMs(raw) : Number.NaN
  return Number.isNaN(ms) ? undefined : new Date(ms)
}

function momentOf(raw: unknown): string | undefined {
  const moment = typeof raw === 'string' ? parseMoment(raw) : null
  return moment === null ? undefined : momentDigits(moment)
}

function documentOf(raw: unknown): unknown {
  if (typeof raw !== 'string') return undefined
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

function hexToBytes(raw: unknown): Uint8Array | undefined {
  if (typeof raw !== 'string' || !raw.startsWith('\\x')) return undefined
  return new Uint8Array(Buffer.from(raw.slice(2), 'hex'))
}

// A copy: a driver's bytes are a window on a buffer that it may use again.
function bytesOf(raw: unknown): Uint8Array | undefined {
  return raw instanceof Uint8Array ? new Uint8Array(raw) : undefined
}

function unreadable({ name, kind }: ColumnReference): FrameworkError {
  return new FrameworkError(
    'E_COLUMN_VALUE',
    `${name} holds something else than ${kind}, as which it is declared; declare it as what it is`,
  )
}
