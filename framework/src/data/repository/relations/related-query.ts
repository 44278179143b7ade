import type { Dialect } from '../../sql/dialects/dialect.ts'
import type { Comparison } from '../../sql/plan/condition.ts'
import { Operators } from '../../sql/plan/operators.ts'
import type { Query } from '../../sql/plan/query.ts'
import type { SelectPlan } from '../../sql/plan/select-plan.ts'
import { bindable } from '../../sql/values/bindable.ts'
import { compileSelect } from '../../sql/write/compile-select.ts'
import { Draft } from '../../sql/write/draft.ts'
import { writeConditions } from '../../sql/write/write-conditions.ts'
import { orderClause } from '../../sql/write/write-order.ts'
import type { RelationLink } from './relation-link.ts'

/**
 * Selects the related rows of these values, as narrowed by a plan. A limit and an offset count
 * within the rows of each value. With a bridge the value follows the columns of the plan.
 * @throws InvalidArgumentException for an invalid value.
 */
export function relatedRows(
  link: RelationLink,
  plan: SelectPlan,
  values: readonly unknown[],
  dialect: Dialect,
): Query {
  const isSliced = plan.limit !== null || plan.offset > 0
  if (link.bridge === null && !isSliced) {
    return compileSelect(
      { ...plan, conditions: [isOwned(link, values), ...plan.conditions] },
      dialect,
    )
  }
  const draft = new Draft(dialect, plan.table)
  const { from, owner } = writeSource(link, plan, values, draft)
  const list = dialect.columns.list(plan.columns)
  const columns = link.bridge === null ? list : `${list}, ${owner}`
  const order = orderClause(plan.orderings, draft)
  const rank = `ROW_NUMBER() OVER (PARTITION BY ${owner}${order}) AS framework_rank`
  const sql = isSliced
    ? `SELECT ${columns} FROM (SELECT ${columns}, ${rank} ${from}) AS framework_ranked` +
      ` WHERE ${writeSlice(plan, draft)}${order}`
    : `SELECT ${columns} ${from}${order}`
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
  const draft = new Draft(dialect, plan.table)
  const { from, owner } = writeSource(link, plan, values, draft)
  return {
    sql: `SELECT ${owner}, COUNT(*) ${from} GROUP BY ${owner}`,
    parameters: draft.parameters,
    raw: true,
  }
}

interface Source {
  /** `FROM … WHERE …` of the related rows. */
  readonly from: string
  /** The column of the values. */
  readonly owner: string
}

function writeSource(
  link: RelationLink,
  plan: SelectPlan,
  values: readonly unknown[],
  draft: Draft,
): Source {
  const { bridge, owner } = link
  const table = draft.dialect.quote(plan.table)
  if (bridge === null) {
    const conditions = writeConditions([isOwned(link, values), ...plan.conditions], draft)
    return { from: `FROM ${table} WHERE ${conditions}`, owner: draft.name(owner) }
  }
  const { quote } = draft.dialect
  const source = quote(bridge.source)
  const places = values.map((value) =>
    draft.comparand(owner, bindable(owner, value, draft.dialect)),
  )
  // Renamed, so that every other name in the statement is a column of the target.
  const pairs =
    `SELECT ${source} AS framework_owner, ${quote(bridge.target)} AS framework_target` +
    ` FROM ${quote(bridge.through)} WHERE ${source} IN (${places.join(', ')})`
  const conditions = writeConditions(plan.conditions, draft)
  return {
    from:
      `FROM (${pairs}) AS framework_bridge INNER JOIN ${table}` +
      ` ON ${draft.name(link.target.key)} = framework_target` +
      (conditions === '' ? '' : ` WHERE ${conditions}`),
    owner: 'framework_owner',
  }
}

function isOwned({ owner }: RelationLink, values: readonly unknown[]): Comparison {
  return { type: 'comparison', column: owner, operator: Operators.In, value: values }
}

function writeSlice({ limit, offset }: SelectPlan, draft: Draft): string {
  // A limit alone is part of the text, as in any other statement.
  if (offset === 0) return `framework_rank <= ${limit}`
  const from = `framework_rank > ${draft.bind(offset)}`
  return limit === null ? from : `${from} AND framework_rank <= ${draft.bind(offset + limit)}`
}
