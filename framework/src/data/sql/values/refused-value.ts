import { InvalidArgumentException } from '../../../base/errors.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'

/**
 * The error for a value that its column cannot take. It names the type that came; a text itself is
 * not repeated, because it may be a secret.
 */
export function refusedValue(
  column: ColumnReference,
  value: unknown,
  dialect: Dialect,
): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_COLUMN_VALUE',
    `${column.name} takes ${taken(column, dialect)}, got ${described(value, column)}`,
  )
}

function taken(column: ColumnReference, dialect: Dialect): string {
  const words = takenWhole(column, dialect)
  return column.isNullable ? `${words}, or null` : words
}

function takenWhole({ kind, precision, scale }: ColumnReference, { values }: Dialect): string {
  if (kind === 'decimal') {
    return `a decimal as a text, at most ${precision - scale} digits before the point and ${scale} behind it`
  }
  if (kind === 'text' && !values.holdsNul) return 'a text without NUL'
  return wordsOf[kind]
}

const wordsOf: Readonly<Record<Exclude<ColumnKind, 'decimal'>, string>> = {
  integer: 'a whole number of at most 53 bits',
  bigint: 'a bigint of at most 64 bits',
  float: 'a finite number',
  boolean: 'true or false',
  text: 'a text',
  timestamp: 'a valid Date of the years 1 to 9999',
  'exact-timestamp': "a moment in UTC as a text such as '2026-01-31 12:00:00.123456'",
  json: 'what JSON can hold',
  bytes: 'a Uint8Array',
}

/** What came for a column, in words. */
export function described(value: unknown, { kind }: ColumnReference): string {
  if (typeof value === 'string') return textual.has(kind) ? 'a text of another form' : 'a text'
  if (typeof value === 'number' || typeof value === 'bigint') return `the ${typeof value} ${value}`
  if (typeof value === 'object') return describedObject(value)
  return typeof value === 'boolean' || value === undefined ? String(value) : `a ${typeof value}`
}

const textual: ReadonlySet<ColumnKind> = new Set(['decimal', 'text', 'exact-timestamp'])

function describedObject(value: object | null): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Uint8Array) return 'bytes'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date'
  return 'an object'
}
