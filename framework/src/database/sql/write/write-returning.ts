import type { ColumnReference } from '../plan/column-reference.ts'
import type { Dialect } from '../dialects/dialect.ts'

/** ` RETURNING …`, or '' if nothing is returned. */
export function returningClause(columns: readonly ColumnReference[], dialect: Dialect): string {
  return columns.length === 0 ? '' : ` RETURNING ${dialect.columns.list(columns)}`
}
