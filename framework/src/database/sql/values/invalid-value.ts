import { InvalidArgumentException, RefusedInput } from '../../../base/errors.ts'
import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'

/**
 * The error for a value that its column does not accept. It names the type of the value; a text
 * itself is not repeated, because it may be a secret.
 */
export function invalidValue(column: ColumnReference, value: unknown): InvalidArgumentException {
  const reason = `${column.name} takes ${accepted(column)}, got ${described(value, column)}`
  // A program passes the wrong type by mistake, but a text with such characters or in another format
  // only if a client sent it.
  const isForeign = foreign.has(column.kind) && typeof value === 'string'
  return new (isForeign ? RefusedInput : InvalidArgumentException)('E_COLUMN_VALUE', reason)
}

const foreign: ReadonlySet<ColumnKind> = new Set(['text', 'uuid', 'enumeration', 'date', 'time'])

function accepted(column: ColumnReference): string {
  const words = acceptedNonNull(column)
  return column.isNullable ? `${words}, or null` : words
}

function acceptedNonNull(column: ColumnReference): string {
  const { kind, precision, scale, members = [] } = column
  if (kind === 'decimal') {
    return `a decimal as a text, at most ${precision - scale} digits before the point and ${scale} after it`
  }
  if (kind === 'enumeration') return `one of ${members.map((member) => `'${member}'`).join(', ')}`
  return wordsOf[kind]
}

const wordsOf: Readonly<Record<Exclude<ColumnKind, 'decimal' | 'enumeration'>, string>> = {
  integer: 'a whole number of at most 32 bits',
  'safe-integer': 'a whole number of at most 53 bits',
  bigint: 'a bigint of at most 64 bits',
  float: 'a finite number',
  boolean: 'true or false',
  text: 'a text',
  uuid: "a UUID as a text such as '01980c5e-5c00-7000-8000-000000000000'",
  date: "a day as a text such as '2026-01-31'",
  time: "a time as a text such as '12:30:00'",
  timestamp: 'a valid Date in the years 1 to 9999',
  'exact-timestamp': "a UTC timestamp as a text such as '2026-01-31 12:00:00.123456'",
  json: 'a value that JSON can represent',
  bytes: 'a Uint8Array',
}

/** Describes a value that a column got. */
export function described(value: unknown, { kind }: ColumnReference): string {
  if (typeof value === 'string') {
    if (kind === 'text') return 'one with NUL or half a surrogate pair'
    if (kind === 'enumeration') return 'another text'
    return textual.has(kind) ? 'a text in another format' : 'a text'
  }
  if (typeof value === 'number' || typeof value === 'bigint') return `the ${typeof value} ${value}`
  if (typeof value === 'object') return describedObject(value)
  return typeof value === 'boolean' || value === undefined ? String(value) : `a ${typeof value}`
}

const textual: ReadonlySet<ColumnKind> = new Set([
  'decimal',
  'uuid',
  'date',
  'time',
  'exact-timestamp',
])

function describedObject(value: object | null): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Uint8Array) return 'bytes'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date'
  return 'an object'
}
