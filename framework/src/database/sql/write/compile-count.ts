import type { Dialect } from '../dialects/dialect.ts'
import { Draft } from './draft.ts'
import type { Query } from '../plan/query.ts'
import type { SelectPlan } from '../plan/select-plan.ts'
import { whereClause } from './write-conditions.ts'
import { writeRows } from './write-rows.ts'

/**
 * `SELECT COUNT(*) AS total` with the conditions of a plan; order, seek, limit, offset and lock are
 * ignored. Most databases return the total as a bigint.
 */
export function compileCount(plan: SelectPlan, dialect: Dialect): Query {
  const draft = new Draft(dialect, plan.table)
  // Equal rows are one, so the columns matter.
  const source =
    plan.isDistinct === true
      ? `(${writeRows(plan, draft)}) AS framework_counted`
      : dialect.quote(plan.table) + whereClause(plan.conditions, draft)
  return { sql: `SELECT COUNT(*) AS total FROM ${source}`, parameters: draft.parameters }
}
