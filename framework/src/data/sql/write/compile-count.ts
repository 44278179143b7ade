import type { Dialect } from '../dialects/dialect.ts'
import { Draft } from './draft.ts'
import type { Query } from '../plan/query.ts'
import type { SelectPlan } from '../plan/select-plan.ts'
import { whereClause } from './write-conditions.ts'

/**
 * `SELECT COUNT(*) AS total` with the conditions of a plan; order, seek, limit, offset and lock are
 * ignored. Most databases return the total as a bigint.
 */
export function compileCount({ table, conditions }: SelectPlan, dialect: Dialect): Query {
  const draft = new Draft(dialect, table)
  const where = whereClause(conditions, draft)
  return {
    sql: `SELECT COUNT(*) AS total FROM ${dialect.quote(table)}${where}`,
    parameters: draft.parameters,
  }
}
