import { InvalidArgumentException } from '../../base/errors.ts'
import type { ColumnDefinition } from '../sql/plan/column-definition.ts'
import { indexDefinition } from './index-definition.ts'
import type { IndexDefinition } from './index-definition.ts'
import { TableBuilder } from './table-builder.ts'

/** A table that is made, complete. */
export interface TableDefinition {
  readonly name: string
  readonly columns: readonly ColumnDefinition[]
  /** Columns of the primary key. */
  readonly primary: readonly string[]
  readonly indexes: readonly IndexDefinition[]
}

/**
 * What `define` says about a table, with the indexes that unique and referring columns bring along.
 * @throws InvalidArgumentException when it cannot be a table.
 */
export function tableDefinition(
  name: string,
  define: (table: TableBuilder) => unknown,
): TableDefinition {
  const builder = new TableBuilder(name)
  define(builder)
  const { columns, primaryColumns: primary } = builder
  const known = new Set(columns.map((column) => column.name))
  if (known.size === 0) throw refused(name, 'it needs a column or more')
  if (known.size < columns.length) throw refused(name, 'it names a column twice')
  const wanted = builder.wantedIndexes.map(({ columns: parts, options }) =>
    indexDefinition(name, parts, options),
  )
  const indexes = [...wanted, ...columnIndexes(name, columns, primary, wanted)]
  const used = [...primary, ...indexes.flatMap((index) => index.columns.map((part) => part.name))]
  const stranger = used.find((column) => !known.has(column))
  if (stranger !== undefined) {
    throw refused(
      name,
      `a key or index names ${JSON.stringify(stranger)}, which is no column of it`,
    )
  }
  const nullable = columns.find((column) => column.isNullable && primary.includes(column.name))
  if (nullable !== undefined) throw refused(name, `${nullable.name} is in the key and nullable`)
  return { name, columns, primary, indexes }
}

/**
 * The column that `define` names, for a table that exists.
 * @throws InvalidArgumentException when it names none, several, or something a column cannot bring.
 */
export function columnDefinition(
  table: string,
  define: (table: TableBuilder) => unknown,
): { readonly column: ColumnDefinition; readonly indexes: readonly IndexDefinition[] } {
  const { columns, primary, indexes } = tableDefinition(table, define)
  const [column] = columns
  if (column === undefined || columns.length > 1 || primary.length > 0) {
    throw refused(table, 'addColumn takes one column at a time, and no key')
  }
  return { column, indexes }
}

function columnIndexes(
  table: string,
  columns: readonly ColumnDefinition[],
  primary: readonly string[],
  wanted: readonly IndexDefinition[],
): IndexDefinition[] {
  const leads = (name: string): boolean =>
    primary[0] === name || wanted.some((index) => index.columns[0]?.name === name)
  return columns.flatMap(({ name, isUnique, target }) => {
    if (isUnique) return [indexDefinition(table, [name], { unique: true })]
    return target !== null && !leads(name) ? [indexDefinition(table, [name])] : []
  })
}

function refused(table: string, reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', `table ${table}: ${reason}`)
}
