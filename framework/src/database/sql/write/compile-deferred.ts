import { InvalidArgumentException } from '../../../base/errors.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import { compileSelect } from './compile-select.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { Draft } from './draft.ts'
import type { Query } from '../plan/query.ts'
import type { SelectPlan } from '../plan/select-plan.ts'
import { limitClause, orderClause } from './write-order.ts'
import { writeRows } from './write-rows.ts'

/**
 * Selects the same rows as `compileSelect`, for a large offset: rows are skipped by key alone, in
 * an index, and whole rows are read only for the page. The keys are unique together; by default
 * they are the last ordering of the plan. A plan with a seek, a lock or distinct rows is compiled as
 * usual.
 * @throws InvalidArgumentException for an invalid value, or without an order.
 */
export function compileDeferred(
  plan: SelectPlan,
  dialect: Dialect,
  keyColumns: readonly ColumnReference[] | null = null,
): Query {
  const isUsual = plan.seek !== null || plan.lock !== null || plan.isDistinct === true
  if (isUsual) return compileSelect(plan, dialect)
  const draft = new Draft(dialect, plan.table)
  const columns = keyColumns ?? [uniqueColumn(plan)]
  const order = orderClause(plan.orderings, draft)
  const keys = writeRows({ ...plan, columns }, draft) + order + limitClause(plan, draft)
  const source = `SELECT ${dialect.columns.list(plan.columns)} FROM ${dialect.quote(plan.table)}`
  // USING, so that the key, which both sides have, is not ambiguous.
  const join = `INNER JOIN (${keys}) AS framework_page USING (${draft.names(columns)})`
  return { sql: `${source} ${join}${order}`, parameters: draft.parameters, raw: true }
}

function uniqueColumn({ orderings }: SelectPlan): ColumnReference {
  const last = orderings.at(-1)
  if (last !== undefined) return last.column
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    'a deferred page needs an order whose last column is unique',
  )
}
