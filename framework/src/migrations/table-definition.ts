import { invalidArgument } from '../base/errors.ts'
import type { InvalidArgumentException } from '../base/errors.ts'
import type { IndexDefinition } from '../database/sql/dialects/alter/alter-dialect.ts'
import type { ColumnDefinition } from '../database/sql/plan/column-reference.ts'
import { indexDefinition, indexedNames } from './index-definition.ts'
import { TableBuilder } from './table-builder.ts'

/** The complete definition of a table. */
export interface TableDefinition {
  readonly name: string
  readonly columns: readonly ColumnDefinition[]
  /** Columns of the primary key. */
  readonly primary: readonly string[]
  readonly indexes: readonly IndexDefinition[]
}

/**
 * The table described by `define`, with the indexes implied by unique and foreign key columns.
 * @throws InvalidArgumentException when it is not a valid table.
 */
export function tableDefinition(
  name: string,
  define: (table: TableBuilder) => unknown,
): TableDefinition {
  const builder = new TableBuilder(name)
  define(builder)
  const { columns, primaryColumns: primary } = builder
  const known = new Set(columns.map((column) => column.name))
  if (known.size === 0) throw invalidTable(name, 'it needs at least one column')
  if (known.size < columns.length) throw invalidTable(name, 'it names a column twice')
  const wanted = builder.wantedIndexes.map(({ columns: parts, options }) =>
    indexDefinition(name, parts, options),
  )
  const indexes = [...wanted, ...columnIndexes(name, columns, primary, wanted)]
  const used = [...primary, ...indexes.flatMap((index) => indexedNames(index.columns))]
  const unknown = used.find((column) => !known.has(column))
  if (unknown !== undefined) {
    throw invalidTable(
      name,
      `a key or index names ${JSON.stringify(unknown)}, which is not one of its columns`,
    )
  }
  const nullable = columns.find((column) => column.isNullable && primary.includes(column.name))
  if (nullable !== undefined)
    throw invalidTable(name, `${nullable.name} is in the key and nullable`)
  return { name, columns, primary, indexes }
}

/**
 * The column described by `define`, for an existing table.
 * @throws InvalidArgumentException unless it describes one column, and no key.
 */
export function columnDefinition(
  table: string,
  define: (table: TableBuilder) => unknown,
  method = 'addColumn',
): { readonly column: ColumnDefinition; readonly indexes: readonly IndexDefinition[] } {
  const { columns, primary, indexes } = tableDefinition(table, define)
  const [column] = columns
  if (column === undefined || columns.length > 1 || primary.length > 0) {
    throw invalidTable(table, `${method} takes one column at a time, and no key`)
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

function invalidTable(table: string, reason: string): InvalidArgumentException {
  return invalidArgument(`table ${table}: ${reason}`)
}
