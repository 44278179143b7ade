import { FrameworkError } from '../../../base/errors.ts'
import type {
  SchemaIssue,
  SchemaResult,
  StandardSchema,
} from '../../../base/schema/standard-schema.ts'
import { RowError } from '../../database-error.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import { computedReader } from './computed-readers.ts'
import type { DeclaredColumn, DeclaredColumns } from './declared-rows.ts'
import { snakeCase } from './snake-case.ts'

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
  const places = placesOf(names, columns, dialect)
  return raws.map((raw) => {
    const row: Row = {}
    if (!Array.isArray(raw)) throw new RowError('the surface returned rows that are not lists')
    for (const { property, index, read } of places) row[property] = read(raw[index])
    return row
  })
}

function placesOf(
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
  const places = [...new Set(result.issues.map(placeOf))].filter((place) => place !== '')
  const where = places.length === 0 ? '' : ` at ${places.slice(0, 5).join(', ')}`
  throw new RowError(
    `row ${index + 1} does not fit the schema of check()${where}; error.issues says why`,
    result.issues,
  )
}

function placeOf({ path = [] }: SchemaIssue): string {
  return path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
}
