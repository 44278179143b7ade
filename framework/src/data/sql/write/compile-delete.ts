import type { ColumnReference } from '../plan/column-reference.ts'
import type { Condition } from '../plan/condition.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { Draft } from './draft.ts'
import type { Query } from '../plan/query.ts'
import { whereClause } from './write-conditions.ts'
import { returningClause } from './write-returning.ts'

/** Everything a delete says, before any database's words. */
export interface DeletePlan {
  readonly table: string
  /** Which rows; without any, all of them. */
  readonly conditions: readonly Condition[]
  /** The columns to give back of what was deleted. */
  readonly returning: readonly ColumnReference[]
}

/**
 * A delete in the words of one database; what it gives back is raw.
 * @throws InvalidArgumentException for a value that its column cannot take.
 */
export function compileDelete(plan: DeletePlan, dialect: Dialect): Query {
  const draft = new Draft(dialect)
  const where = whereClause(plan.conditions, draft)
  const returning = returningClause(plan.returning, dialect)
  return {
    sql: `DELETE FROM ${dialect.quote(plan.table)}${where}${returning}`,
    parameters: draft.parameters,
    raw: true,
  }
}
