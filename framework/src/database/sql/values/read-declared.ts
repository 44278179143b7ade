import { FrameworkError } from '../../../base/errors.ts'
import type { SchemaResult, StandardSchema } from '../../../base/schema/standard-schema.ts'
import { RowError } from '../../database-error.ts'
import type { Dialect, ColumnReader } from '../dialects/dialect.ts'
import type { ColumnReference, ColumnKind } from '../plan/column-reference.ts'
import type { DeclaredColumn, DeclaredColumns } from '../plan/declared-rows.ts'
import { snakeCase } from '../plan/column-reference.ts'
import { safeInteger } from './column-readers.ts'
import { exactDigits } from './decimal.ts'
import { placesOf } from './schema-check.ts'

type Row = Record<string, unknown>

interface Place {
  readonly property: string
  readonly index: number
  readonly read: (raw: unknown) => unknown
}

/**
 * Turns raw rows into objects of the declared columns, with the same values on every database.
 * @throws RowError for columns that are missing or not declared; FrameworkError (E_COLUMN_VALUE or
 * E_INTEGER_RANGE) for a value that is not of its kind.
 */
export function readDeclared(
  raws: readonly unknown[],
  names: readonly string[],
  columns: DeclaredColumns,
  dialect: Dialect,
): readonly Row[] {
  const places = declaredPlaces(names, columns, dialect)
  return raws.map((raw) => {
    const row: Row = {}
    if (!Array.isArray(raw)) throw new RowError('the surface returned rows that are not lists')
    for (const { property, index, read } of places) row[property] = read(raw[index])
    return row
  })
}

function declaredPlaces(
  names: readonly string[],
  columns: DeclaredColumns,
  dialect: Dialect,
): readonly Place[] {
  const open = new Map<string, number>()
  for (const [index, name] of names.entries()) {
    if (open.has(name))
      throw new RowError(`${shown(name)} is there twice; name one of them with AS`)
    open.set(name, index)
  }
  const places = Object.entries(columns).map(([property, column]) => {
    const name = candidates(property, column).find((candidate) => open.has(candidate))
    const index = name === undefined ? undefined : open.get(name)
    if (name === undefined || index === undefined) throw missingColumn(property, column, names)
    open.delete(name)
    return { property, index, read: readerOf(name, column, dialect) }
  })
  const [extra] = open.keys()
  if (extra === undefined) return places
  throw new RowError(
    `the statement returns the column ${shown(extra)}, which as({ … }) does not declare; ` +
      'declare it, or leave it out of the statement',
  )
}

function candidates(property: string, { options }: DeclaredColumn): readonly string[] {
  return options.name === null ? [property, snakeCase(property)] : [options.name]
}

function readerOf(name: string, column: DeclaredColumn, dialect: Dialect): Place['read'] {
  const reference: ColumnReference = { ...column.options, name, kind: column.kind }
  const read = computedReader(reference, dialect)
  return (raw) => {
    if (raw === null) {
      if (reference.isNullable) return null
      throw unfit(`${name} is NULL; declare it .nullable(), or give it a value with COALESCE`)
    }
    const value = read(raw, reference)
    if (value !== undefined) return value
    throw unfit(
      `${name} contains a value that is not ${reference.kind}; declare the column with its actual type`,
    )
  }
}

/**
 * The reader of a column of a statement of one's own. Unlike a column of a table it may be computed,
 * and each database has another type for a sum, an average or a comparison; what is read is the same.
 * @throws InvalidArgumentException (E_ENTITY) for a decimal that the database cannot represent.
 */
function computedReader(column: ColumnReference, dialect: Dialect): ColumnReader {
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
  allDigits ??= new Intl.NumberFormat('en', {
    useGrouping: false,
    maximumSignificantDigits: exactDigits,
  })
  return withDigits(allDigits.format(rounded), scale)
}

/** Writes numbers without an exponent. Made when needed, since it takes a while. */
let allDigits: Intl.NumberFormat | null = null

/** At least `scale` digits after the point, and beyond them none that say nothing. */
function withDigits(text: string, scale: number): string {
  const [whole = '', fraction = ''] = text.split('.')
  const needed = fraction.replace(/0+$/, '').padEnd(scale, '0')
  const digits = needed === '' ? whole : `${whole}.${needed}`
  return /^-[0.]*$/.test(digits) ? digits.slice(1) : digits
}

function missingColumn(
  property: string,
  column: DeclaredColumn,
  names: readonly string[],
): RowError {
  const wanted = new Set(candidates(property, column))
  const known = names.length === 0 ? 'it returns none' : `it returns ${names.map(shown).join(', ')}`
  return new RowError(
    `as({ … }) declares ${property}, but the statement returns no column ${[...wanted].map(shown).join(' or ')}; ` +
      `${known}: name one with AS`,
  )
}

function unfit(text: string): FrameworkError {
  return new FrameworkError('E_COLUMN_VALUE', text)
}

function shown(name: string): string {
  return JSON.stringify(name)
}

/**
 * The values that a schema makes of rows, one after the other.
 * @throws RowError for the first row that does not fit; its message names the places, not the values.
 */
export async function checkRows(
  rows: readonly unknown[],
  { '~standard': standard }: StandardSchema,
): Promise<readonly unknown[]> {
  const checked: unknown[] = []
  for (const [index, row] of rows.entries()) {
    const result = standard.validate(row)
    // Most schemas are synchronous, and a list may be long.
    checked.push(valueOf(result instanceof Promise ? await result : result, index))
  }
  return checked
}

function valueOf(result: SchemaResult<unknown>, index: number): unknown {
  if (result.issues === undefined) return result.value
  throw new RowError(
    `row ${index + 1} does not fit the schema of check() at ${placesOf(result.issues)}; error.issues says why`,
    result.issues,
  )
}
