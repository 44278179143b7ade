import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { Comparison } from '../../database/sql/plan/condition.ts'
import { Operators } from '../../database/sql/plan/operators.ts'
import type { Query } from '../../database/sql/plan/query.ts'
import type { SelectPlan } from '../../database/sql/plan/select-plan.ts'
import { compileSelect } from '../../database/sql/write/compile-select.ts'
import { orderClause } from '../../database/sql/write/write-order.ts'
import { RelatedSource } from './related-source.ts'
import type { RelationLink } from './relation-link.ts'
import { slicedRows } from './sliced-rows.ts'

/**
 * Selects the related rows of these values, as narrowed by a plan. A limit and an offset count within the
 * rows of each value, which come in the order of the plan. With a bridge the value follows the columns of
 * the plan.
 * @throws InvalidArgumentException for an invalid value.
 */
export function relatedRows(
  link: RelationLink,
  plan: SelectPlan,
  values: readonly unknown[],
  dialect: Dialect,
): Query {
  if (plan.limit !== null || plan.offset > 0) return slicedRows(link, plan, values, dialect)
  if (link.bridge === null) {
    const conditions = [isOwned(link, values), ...plan.conditions]
    return compileSelect({ ...plan, conditions }, dialect)
  }
  const source = new RelatedSource(link, plan, dialect)
  const { columns, draft } = source
  const rows = source.write(source.inList(values))
  const sql = `SELECT ${columns} ${rows}${orderClause(plan.orderings, draft)}`
  return { sql, parameters: draft.parameters, raw: true }
}

/**
 * Counts the related rows of these values that match the conditions of a plan: rows of a value and
 * its count. Values without related rows are missing.
 * @throws InvalidArgumentException for an invalid value.
 */
export function relatedCounts(
  link: RelationLink,
  plan: SelectPlan,
  values: readonly unknown[],
  dialect: Dialect,
): Query {
  const source = new RelatedSource(link, plan, dialect)
  const { draft, owner } = source
  const sql = `SELECT ${owner}, COUNT(*) ${source.write(source.inList(values))} GROUP BY ${owner}`
  return { sql, parameters: draft.parameters, raw: true }
}

function isOwned({ owner }: RelationLink, values: readonly unknown[]): Comparison {
  return { type: 'comparison', column: owner, operator: Operators.In, value: values }
}
