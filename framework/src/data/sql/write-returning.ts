import type { ColumnReference } from './column-reference.ts'
import type { Dialect } from './dialect.ts'
import { quotedColumns } from './quoted-columns.ts'

/** ` RETURNING …`, or '' when nothing is to be given back. */
export function returningClause(columns: readonly ColumnReference[], dialect: Dialect): string {
  return columns.length === 0 ? '' : ` RETURNING ${quotedColumns(columns, dialect)}`
}
