import type { Dialect } from '../dialects/dialect.ts'
import type { Draft } from './draft.ts'
import type { Ordering, SelectPlan } from '../plan/select-plan.ts'
import { limitClause, orderClause } from './write-order.ts'
import { writeRows } from './write-rows.ts'
import { seekBranches, writeBranch } from './write-seek.ts'
import type { SeekBranch } from './write-seek.ts'

/**
 * The branches of a plan's seek, if they are better searched one by one: an index serves each of
 * them, but none serves them joined by OR unless the planner splits that. Null if one condition is
 * enough.
 */
export function unionBranches(plan: SelectPlan, dialect: Dialect): readonly SeekBranch[] | null {
  const { seek, orderings, columns, limit, offset, lock } = plan
  if (seek === null || limit === null || offset > 0 || lock !== null) return null
  if (dialect.splitsAlternatives) return null
  if (!isSameOrder(orderings, seek.orderings)) return null
  // The ORDER BY of a union can name only selected columns.
  const isNamed = ({ column }: Ordering): boolean =>
    columns.includes(column) && dialect.orderedBy(column.name, column) === column.name
  if (!orderings.every(isNamed)) return null
  const branches = seekBranches(seek, dialect)
  return branches.length > 1 ? branches : null
}

/** The branches of a seek joined by UNION ALL, with the order and limit of the plan. */
export function writeUnion(
  plan: SelectPlan,
  branches: readonly SeekBranch[],
  draft: Draft,
): string {
  const end = orderClause(plan.orderings, draft) + limitClause(plan, draft)
  // Unless branches are merged lazily, each needs its own limit.
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
