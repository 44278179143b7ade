import type { Draft } from './draft.ts'
import type { SelectPlan } from '../plan/select-plan.ts'
import { writeConditions } from './write-conditions.ts'

/** `SELECT … FROM … WHERE …` of a plan, without its order; `seek` writes one more condition. */
export function writeRows(
  { columns, table, conditions, isDistinct = false }: SelectPlan,
  draft: Draft,
  seek: (() => string) | null = null,
): string {
  const { dialect } = draft
  const select = isDistinct ? 'SELECT DISTINCT' : 'SELECT'
  const source = `${select} ${dialect.columns.list(columns)} FROM ${dialect.quote(table)}`
  const where = writeConditions(conditions, draft)
  if (seek === null) return where === '' ? source : `${source} WHERE ${where}`
  return `${source} WHERE ${where === '' ? '' : `${where} AND `}${seek()}`
}
