import type { ColumnReference } from '../plan/column-reference.ts'
import type { Condition } from '../plan/condition.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Query } from '../plan/statement.ts'
import { Draft } from './draft.ts'
import { whereClause } from './write-conditions.ts'

/** A delete, independent of the database. */
export interface DeletePlan {
  readonly table: string
  /** Which rows; if empty, all of them. */
  readonly conditions: readonly Condition[]
  /** The columns to return. */
  readonly returning: readonly ColumnReference[]
}

/**
 * Compiles a delete; the rows it returns are raw.
 * @throws InvalidArgumentException for an invalid value.
 */
export function compileDelete(plan: DeletePlan, dialect: Dialect): Query {
  const draft = new Draft(dialect, plan.table)
  const where = whereClause(plan.conditions, draft)
  const returning = draft.returning(plan.returning)
  return draft.rawQuery(`DELETE FROM ${dialect.quote(plan.table)}${where}${returning}`)
}
