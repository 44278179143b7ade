import type { Dialect } from '../dialects/dialect.ts'
import { Draft } from './draft.ts'
import type { Query } from '../plan/query.ts'
import type { SelectPlan } from '../plan/select-plan.ts'
import { limitClause, lockClause, orderClause } from './write-order.ts'
import { writeRows } from './write-rows.ts'
import { writeSeek } from './write-seek.ts'
import { unionBranches, writeUnion } from './write-union.ts'

/**
 * Compiles a select. Its rows are raw: lists in the order of the plan's columns.
 * @throws InvalidArgumentException for an invalid value.
 */
export function compileSelect(plan: SelectPlan, dialect: Dialect): Query {
  const draft = new Draft(dialect, plan.table)
  const branches = unionBranches(plan, dialect)
  const sql = branches === null ? writeSelect(plan, draft) : writeUnion(plan, branches, draft)
  return { sql, parameters: draft.parameters, raw: true }
}

function writeSelect(plan: SelectPlan, draft: Draft): string {
  const { seek, orderings } = plan
  const rows = writeRows(plan, draft, seek === null ? null : () => writeSeek(seek, draft))
  return rows + orderClause(orderings, draft) + limitClause(plan, draft) + lockClause(plan, draft)
}
