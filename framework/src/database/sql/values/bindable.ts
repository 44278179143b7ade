import { InvalidArgumentException, RefusedInput } from '../../../base/errors.ts'
import type { StandardSchema } from '../../../base/schema/standard-schema.ts'
import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import { fitsDecimal } from './decimal.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { isDayText, momentDigits, momentText, parseMoment, timeText } from './moment.ts'
import { invalidValue } from './invalid-value.ts'
import { checkDocument } from './schema-check.ts'
import { uuidText } from './uuid.ts'

/**
 * Converts a value to the parameter that a column stores and compares.
 * @throws InvalidArgumentException (E_COLUMN_VALUE) that says what the column takes and what it
 * got.
 */
export function bindable(column: ColumnReference, value: unknown, dialect: Dialect): unknown {
  if (value === null && column.isNullable) return null
  const bound = binders[column.kind](value, column, dialect)
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
type Binder = (value: unknown, column: ColumnReference, dialect: Dialect) => unknown

const binders: Readonly<Record<ColumnKind, Binder>> = {
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
  const checked = checkDocument(schema, value, name)
  if (checked.fits) return checked.value
  throw new InvalidArgumentException(
    'E_COLUMN_VALUE',
    `${name} takes a document that fits its schema, got one that does not at ${checked.places}`,
  )
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
