import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { Query } from '../../database/sql/plan/query.ts'
import type { SelectPlan } from '../../database/sql/plan/select-plan.ts'
import { limitClause, orderClause } from '../../database/sql/write/write-order.ts'
import { RelatedSource } from './related-source.ts'
import type { RelationLink } from './relation-link.ts'

// A statement with many branches takes long to plan, and SQLite refuses more than 500.
const maxBranches = 64

/**
 * Selects the related rows of these values when a limit or an offset counts within the rows of each.
 * The values are looked up one by one, so that an index is read no further than the limit. Ranking, which
 * reads all rows of all values, is left for more values than a statement should have branches.
 * @throws InvalidArgumentException for an invalid value.
 */
export function slicedRows(
  link: RelationLink,
  plan: SelectPlan,
  values: readonly unknown[],
  dialect: Dialect,
): Query {
  const source = new RelatedSource(link, plan, dialect)
  const { parameters } = source.draft
  if (dialect.hasLateral) return { sql: writeLateral(source, plan, values), parameters, raw: true }
  if (values.length <= maxBranches) {
    const sql = writeUnion(source, plan, values)
    if (parameters.length <= dialect.maxParameters) return { sql, parameters, raw: true }
  }
  return rankedRows(link, plan, values, dialect)
}

// The first of the values is NULL, and there to give the others the type of their column.
function writeLateral(source: RelatedSource, plan: SelectPlan, values: readonly unknown[]): string {
  const { table, column } = source.storedOwner
  const typed = `(SELECT ${column} FROM ${table} LIMIT 0)`
  const owners = ownersOf(source, values).map((bind) => `, (${bind()})`)
  const slice = writeSlice(source, plan, () => 'framework_value')
  return (
    `SELECT ${source.columns} FROM (VALUES (${typed})${owners.join('')})` +
    ` AS framework_owners (framework_value) CROSS JOIN LATERAL (${slice}) AS framework_slice`
  )
}

function writeUnion(source: RelatedSource, plan: SelectPlan, values: readonly unknown[]): string {
  const { columns, draft } = source
  const branches = ownersOf(source, values).map((bind) =>
    draft.dialect.unionBranch(writeSlice(source, plan, bind), columns),
  )
  return branches.join(' UNION ALL ')
}

function writeSlice(source: RelatedSource, plan: SelectPlan, owner: () => string): string {
  const { columns, draft } = source
  const rows = source.write((column) => `${column} = ${owner()}`)
  return `SELECT ${columns} ${rows}${orderClause(plan.orderings, draft)}${limitClause(plan, draft)}`
}

// A list ends with repetitions of its last value, whose rows must not be read again.
function ownersOf(source: RelatedSource, values: readonly unknown[]): readonly (() => string)[] {
  const last = values.indexOf(values.at(-1))
  return values.map((value, at) => () => (at > last ? source.bindNone() : source.bind(value)))
}

function rankedRows(
  link: RelationLink,
  plan: SelectPlan,
  values: readonly unknown[],
  dialect: Dialect,
): Query {
  const source = new RelatedSource(link, plan, dialect)
  const { columns, draft, owner } = source
  const order = orderClause(plan.orderings, draft)
  const rank = `ROW_NUMBER() OVER (PARTITION BY ${owner}${order}) AS framework_rank`
  const ranked = `SELECT ${columns}, ${rank} ${source.write(source.inList(values))}`
  const first = draft.bind(plan.offset)
  const last =
    plan.limit === null ? '' : ` AND framework_rank <= ${draft.bind(plan.offset + plan.limit)}`
  return {
    sql:
      `SELECT ${columns} FROM (${ranked}) AS framework_ranked` +
      ` WHERE framework_rank > ${first}${last}${order}`,
    parameters: draft.parameters,
    raw: true,
  }
}
