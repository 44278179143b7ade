import { invalidArgument, InvalidArgumentException, RefusedInput } from '../../../base/errors.ts'
import type { StandardSchema } from '../../../base/schema/standard-schema.ts'
import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import { fitsDecimal } from './decimal.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { isDayText, momentDigits, momentText, parseMoment, timeText } from './moment.ts'
import { checkDocument } from './schema-check.ts'

/**
 * Converts a value to the parameter that a column stores and compares.
 * @throws InvalidArgumentException (E_COLUMN_VALUE) that says what the column takes and what it
 * got.
 */
export function bindable(column: ColumnReference, value: unknown, dialect: Dialect): unknown {
  if (value === null && column.isNullable) return null
  const bound = valueBinders[column.kind](value, column, dialect)
  if (bound === undefined) throw invalidValue(column, value)
  return bound
}

/**
 * The same for a value that is only compared with the column. Any whole number can be compared with
 * an integer column: beyond its 32 bits it equals no row.
 */
export function comparable(column: ColumnReference, value: unknown, dialect: Dialect): unknown {
  if (column.kind === 'integer' && Number.isSafeInteger(value)) return value
  return bindable(column, value, dialect)
}

/** The parameter for a value, or undefined if the column does not accept it. */
export type Binder = (value: unknown, column: ColumnReference, dialect: Dialect) => unknown

/** How a value of each kind is bound. */
export const valueBinders: Readonly<Record<ColumnKind, Binder>> = {
  integer: (value) => (isInt32(value) ? value : undefined),
  'safe-integer': (value) => (Number.isSafeInteger(value) ? value : undefined),
  bigint: (value) => (typeof value === 'bigint' && fitsInt64(value) ? value : undefined),
  decimal: boundDecimal,
  float: (value) => (Number.isFinite(value) ? value : undefined),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  text: (value) => (isStorable(value) ? value : undefined),
  uuid: (value) => uuidText(value) ?? undefined,
  enumeration: (value, { members = [] }) => (isMember(value, members) ? value : undefined),
  date: (value) => (isDayText(value) ? value : undefined),
  time: (value) => timeText(value) ?? undefined,
  timestamp: (value) => (value instanceof Date ? (momentText(value) ?? undefined) : undefined),
  'exact-timestamp': boundMoment,
  json: boundJson,
  bytes: (value) => (value instanceof Uint8Array ? value : undefined),
}

/** Whether a value is a whole number of at most 32 bits. */
export function isInt32(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value
}

/** Whether a value is one of the texts of an enumeration. */
export function isMember(value: unknown, members: readonly string[]): value is string {
  return typeof value === 'string' && members.includes(value)
}

/** Whether an integer fits into 64 bits. */
export function fitsInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}

/** Whether a value is a text that every database can store: no NUL, and no half of a surrogate pair. */
export function isStorable(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
}

const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** A UUID as all databases write it, in lower case. Null for anything that is not a UUID. */
export function uuidText(value: unknown): string | null {
  return typeof value === 'string' && uuidPattern.test(value) ? value.toLowerCase() : null
}

function boundDecimal(value: unknown, column: ColumnReference, { values }: Dialect): unknown {
  values.refuseInexact(column)
  if (typeof value !== 'string' || !fitsDecimal(value, column)) return undefined
  return values.decimal(value)
}

function boundMoment(value: unknown): string | undefined {
  const moment = typeof value === 'string' ? parseMoment(value) : null
  const isExact = moment !== null && !moment.isZoned && moment.fraction.length <= 6
  return isExact ? momentDigits(moment) : undefined
}

function boundJson(value: unknown, { name, schema }: ColumnReference): unknown {
  const text = jsonText(schema ? checkedDocument(schema, value, name) : value)
  // Few documents have any escape, and looking for one is much faster than the pattern.
  if (text === undefined || !text.includes('\\u') || !unstorableEscape.test(text)) return text
  const reason = `${name} takes JSON, got one with NUL or half a surrogate pair`
  throw new RefusedInput('E_COLUMN_VALUE', reason)
}

// The document as its schema made it, with its defaults.
function checkedDocument(schema: StandardSchema, value: unknown, name: string): unknown {
  return checkDocument(schema, value, name, (places) => {
    const got = `got one that does not at ${places}`
    const reason = `${name} takes a document that fits its schema, ${got}`
    return new InvalidArgumentException('E_COLUMN_VALUE', reason)
  })
}

/** NUL or half a surrogate pair, as JSON writes them, and not the text of such an escape. */
const unstorableEscape = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/**
 * The error for a value that its column does not accept. It names the type of the value; a text
 * itself is not repeated, because it may be a secret.
 */
function invalidValue(column: ColumnReference, value: unknown): InvalidArgumentException {
  const words = accepted(column) + (column.isNullable ? ', or null' : '')
  const reason = `${column.name} takes ${words}, got ${described(value, column)}`
  // A program passes the wrong type by mistake, but a text with such characters or in another format
  // only if a client sent it.
  const isForeign = foreign.has(column.kind) && typeof value === 'string'
  return new (isForeign ? RefusedInput : InvalidArgumentException)('E_COLUMN_VALUE', reason)
}

const foreign: ReadonlySet<ColumnKind> = new Set(['text', 'uuid', 'enumeration', 'date', 'time'])

function accepted(column: ColumnReference): string {
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

/** A `Date` for any database: UTC text with six fractional digits. */
export function dateParameter(date: Date, index: number): string {
  const text = momentText(date)
  if (text !== null) return text
  throw invalidParameter(index, 'a Date that is invalid or outside the years 1 to 9999')
}

/**
 * A text for any database. What none of them stores alike is refused before anything is sent: some end
 * a text at NUL, and half a surrogate pair has no UTF-8, so it would become U+FFFD.
 * @throws RefusedInput, since only a client can have sent it.
 */
export function textParameter(text: string, index: number): string {
  if (isStorable(text)) return text
  throw new RefusedInput(
    'E_VALUE',
    `parameter ${index + 1} is a text with NUL or half a surrogate pair, which databases cannot store`,
  )
}

/** The error for a parameter that cannot be bound. It describes the value without showing it. */
export function invalidParameter(index: number, what: string): InvalidArgumentException {
  return invalidArgument(
    `parameter ${index + 1} is ${what}; a parameter must be text, a number, a bigint, a boolean, null, a Date or bytes`,
  )
}

/** The error for a value of a type that no parameter has. */
export function unknownParameter(value: unknown, index: number): InvalidArgumentException {
  if (value === undefined) return invalidParameter(index, 'undefined; use null for NULL')
  if (Array.isArray(value)) return invalidParameter(index, 'a list')
  return invalidParameter(index, typeof value === 'object' ? 'an object' : `a ${typeof value}`)
}
