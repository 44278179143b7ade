import { compileFunction } from 'node:vm'
import { FrameworkError } from '../../../base/errors.ts'
import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import type { ColumnReader, Dialect } from '../dialects/dialect.ts'
import { isDayText, momentDigits, momentMs, parseMoment, timeText } from './moment.ts'
import { checkDocument } from './schema-check.ts'
import { isMember, uuidText } from './bindable.ts'

/**
 * Converts raw values of a column, as rows selected with `raw` have them, to its TypeScript type; NULL
 * becomes null. It throws FrameworkError: E_INTEGER_RANGE for an integer that a `number` cannot
 * represent, and E_COLUMN_VALUE when the stored value does not have the declared type.
 */
export function reader(column: ColumnReference, dialect: Dialect): (raw: unknown) => unknown {
  if (column.kind === 'decimal') dialect.values.refuseInexact(column)
  const read = dialect.values.readers[column.kind]
  return (raw) => {
    if (raw === null) return null
    const value = read(raw, column)
    if (value === undefined) throw unreadable(column)
    return value
  }
}

/** Makes objects of one shape from lists of raw values. */
export type MakeRows = (lists: readonly (readonly unknown[])[]) => Record<string, unknown>[]

/**
 * Makes rows with a property for each value of a list, read by the reader at its place if there are any.
 * The loop is generated with an object literal, as one would write it by hand: assigning properties by
 * variable names takes four times as long. Names occur in it only as JSON text.
 */
export function rowMaker(
  names: readonly string[],
  readers: readonly ((raw: unknown) => unknown)[] = [],
): MakeRows {
  const pairs = names.map((name, index) => {
    // Without the brackets it would be the prototype.
    const property = name === '__proto__' ? '["__proto__"]' : JSON.stringify(name)
    return `${property}: ${readers.length === 0 ? '' : `read${index}`}(list[${index}])`
  })
  const code = `return (lists) => {
    const rows = new Array(lists.length)
    for (let index = 0; index < lists.length; index++) {
      const list = lists[index]
      rows[index] = { ${pairs.join(', ')} }
    }
    return rows
  }`
  const parameters = readers.map((_, index) => `read${index}`)
  return compileFunction(code, parameters)(...readers) as MakeRows
}

function unreadable({ name, kind }: ColumnReference): FrameworkError {
  return new FrameworkError(
    'E_COLUMN_VALUE',
    `${name} contains a value that is not ${kind}; declare the column with its actual type`,
  )
}

type ColumnReaders = Readonly<Record<ColumnKind, ColumnReader>>

const sharedReaders = {
  decimal: textOf,
  text: textOf,
  uuid: (raw: unknown) => uuidText(raw) ?? undefined,
  enumeration: (raw: unknown, { members = [] }: ColumnReference) =>
    isMember(raw, members) ? raw : undefined,
  date: (raw: unknown) => (isDayText(raw) ? raw : undefined),
  time: timeOf,
  timestamp: dateOf,
  'exact-timestamp': momentOf,
  json: documentOf,
} as const

/** For databases that return numbers as numbers. */
export const numberReaders: ColumnReaders = {
  ...sharedReaders,
  integer: (raw, column) => narrowInteger(numberOf(raw), column),
  'safe-integer': (raw, column) => safeInteger(numberOf(raw), column),
  bigint: bigintOf,
  float: numberOf,
  boolean: booleanOf,
  // A copy: the bytes of a driver may be a view of a buffer that it reuses.
  bytes: (raw) => (raw instanceof Uint8Array ? new Uint8Array(raw) : undefined),
}

/** For databases that return everything as text. */
export const textReaders: ColumnReaders = {
  ...sharedReaders,
  integer: (raw, column) => narrowInteger(digitsToNumber(raw), column),
  'safe-integer': (raw, column) => safeInteger(digitsToNumber(raw), column),
  bigint: digitsToBigint,
  float: digitsToNumber,
  boolean: (raw) => (raw === 't' ? true : raw === 'f' ? false : undefined),
  bytes: hexToBytes,
}

function narrowInteger(number: number | undefined, column: ColumnReference): number | undefined {
  // The bitwise operator yields 32 bits, and 0 for -0.
  if (number === undefined || (number | 0) === number) return number
  if (!Number.isInteger(number)) return undefined
  throw new FrameworkError(
    'E_INTEGER_RANGE',
    `${column.name} contains a whole number of more than 32 bits; declare it safeInteger(), or bigint() beyond 2^53`,
  )
}

/**
 * A whole number that a `number` represents exactly; undefined for one that is not whole.
 * @throws FrameworkError E_INTEGER_RANGE
 */
export function safeInteger(
  number: number | undefined,
  column: ColumnReference,
): number | undefined {
  if (number === undefined || Number.isSafeInteger(number)) return number
  if (!Number.isInteger(number)) return undefined
  throw new FrameworkError(
    'E_INTEGER_RANGE',
    `${column.name} contains a whole number beyond 2^53, which a number cannot represent; declare it bigint()`,
  )
}

function digitsToNumber(raw: unknown): number | undefined {
  if (typeof raw !== 'string' || raw === '') return undefined
  const number = Number(raw)
  return Number.isNaN(number) && raw !== 'NaN' ? undefined : number
}

/** A number from a driver, exact or not. */
export function numberOf(raw: unknown): number | undefined {
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

function booleanOf(raw: unknown): boolean | undefined {
  if (typeof raw === 'boolean') return raw
  const number = numberOf(raw)
  return number === undefined ? undefined : number !== 0
}

function textOf(raw: unknown): string | undefined {
  return typeof raw === 'string' ? raw : undefined
}

// A column with microseconds adds zeros.
function timeOf(raw: unknown): string | undefined {
  if (typeof raw !== 'string' || raw.length < 8) return undefined
  return timeText(raw.replace(/\.0+$/, '')) ?? undefined
}

function dateOf(raw: unknown): Date | undefined {
  const ms = typeof raw === 'string' ? momentMs(raw) : Number.NaN
  return Number.isNaN(ms) ? undefined : new Date(ms)
}

function momentOf(raw: unknown): string | undefined {
  const moment = typeof raw === 'string' ? parseMoment(raw) : null
  return moment === null ? undefined : momentDigits(moment)
}

function documentOf(raw: unknown, { schema, name }: ColumnReference): unknown {
  if (typeof raw !== 'string') return undefined
  const document = parsed(raw)
  if (!schema || document === undefined) return document
  return checkDocument(schema, document, name, (places) => {
    const reason = `${name} contains a document that does not fit its schema at ${places}`
    return new FrameworkError('E_COLUMN_VALUE', `${reason}; mend the row, or widen the schema`)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function hexToBytes(raw: unknown): Uint8Array | undefined {
  if (typeof raw !== 'string' || !raw.startsWith('\\x')) return undefined
  return new Uint8Array(Buffer.from(raw.slice(2), 'hex'))
}
