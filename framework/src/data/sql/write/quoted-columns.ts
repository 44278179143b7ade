import type { ColumnReference } from '../plan/column-reference.ts'
import type { Dialect, Dialects } from '../dialects/dialect.ts'

type Memory<Key extends object> = Readonly<Record<Dialects, WeakMap<Key, string>>>

// Columns and lists of them live as long as their entity, so each is quoted once.
const names: Memory<ColumnReference> = memory()
const lists: Memory<readonly ColumnReference[]> = memory()

/** The name of a column, quoted. */
export function quotedColumn(column: ColumnReference, dialect: Dialect): string {
  const known = names[dialect.name].get(column)
  if (known !== undefined) return known
  const quoted = dialect.quote(column.name)
  names[dialect.name].set(column, quoted)
  return quoted
}

/** The names of columns, quoted, between commas. The list must not change afterwards. */
export function quotedColumns(columns: readonly ColumnReference[], dialect: Dialect): string {
  const known = lists[dialect.name].get(columns)
  if (known !== undefined) return known
  const quoted = columns.map((column) => quotedColumn(column, dialect)).join(', ')
  lists[dialect.name].set(columns, quoted)
  return quoted
}

function memory<Key extends object>(): Memory<Key> {
  return { sqlite: new WeakMap(), postgres: new WeakMap(), mariadb: new WeakMap() }
}
