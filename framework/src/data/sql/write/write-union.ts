import type { Dialect } from '../dialects/dialect.ts'
import type { Draft } from './draft.ts'
import type { Ordering, SelectPlan } from '../plan/select-plan.ts'
import { limitClause, orderClause } from './write-order.ts'
import { writeRows } from './write-rows.ts'
import { seekBranches, writeBranch } from './write-seek.ts'
import type { SeekBranch } from './write-seek.ts'

/**
 * The branches of a plan's seek when they are better searched one by one: an index serves each of
 * them, and none serves a condition that joins them by OR unless the planner splits it. Null when one
 * condition says it all.
 */
export function unionBranches(plan: SelectPlan, dialect: Dialect): readonly SeekBranch[] | null {
  const { seek, orderings, columns, limit, offset, lock } = plan
  if (seek === null || limit === null || offset > 0 || lock !== null) return null
  if (dialect.splitsAlternatives) return null
  if (!isSameOrder(orderings, seek.orderings)) return null
  // The order of a union can only name what it selects.
  if (!orderings.every(({ column }) => columns.includes(column))) return null
  const branches = seekBranches(seek, dialect)
  return branches.length > 1 ? branches : null
}

/** The branches of a seek, joined by UNION ALL, in the order and to the limit of the plan. */
export function writeUnion(
  plan: SelectPlan,
  branches: readonly SeekBranch[],
  draft: Draft,
): string {
  const end = orderClause(plan.orderings, draft) + limitClause(plan, draft)
  // Where branches are not merged row by row as they are read, each must be told where to stop.
  const isLazy = draft.dialect.mergesUnions
  const written = branches.map((branch) => {
    const rows = writeRows(plan, draft, () => writeBranch(branch, draft))
    return isLazy ? rows : `(${rows}${end})`
  })
  return written.join(' UNION ALL ') + end
}

function isSameOrder(some: readonly Ordering[], others: readonly Ordering[]): boolean {
  if (some === others) return true
  if (some.length !== others.length) return false
  return some.every(({ column, order, nulls }, at) => {
    const other = others[at]
    return column === other?.column && order === other.order && nulls === other.nulls
  })
}
