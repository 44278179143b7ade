import type { Draft } from './draft.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import type { SelectPlan } from '../plan/select-plan.ts'
import { writeConditions } from './write-conditions.ts'

/** `SELECT … FROM … WHERE …` of a plan, without its order; `seek` writes one more condition. */
export function writeRows(
  { columns, table, conditions, isDistinct = false }: SelectPlan,
  draft: Draft,
  seek: (() => string) | null = null,
): string {
  const { dialect } = draft
  const select = isDistinct
    ? distinctClause(columns, draft)
    : `SELECT ${dialect.columns.list(columns)}`
  const source = `${select} FROM ${dialect.quote(table)}`
  const where = writeConditions(conditions, draft)
  if (seek === null) return where === '' ? source : `${source} WHERE ${where}`
  return `${source} WHERE ${where === '' ? '' : `${where} AND `}${seek()}`
}

// Distinct rows can be ordered only by what is selected.
function distinctClause(columns: readonly ColumnReference[], draft: Draft): string {
  const parts = columns.map((column) => draft.dialect.orderedBy(draft.name(column), column))
  return `SELECT DISTINCT ${parts.join(', ')}`
}
