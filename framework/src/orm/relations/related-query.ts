import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import { Operators } from '../../database/sql/plan/operators.ts'
import type { Query } from '../../database/sql/plan/statement.ts'
import type { SelectPlan } from '../../database/sql/plan/select-plan.ts'
import { compileSelect, limitClause, orderClause } from '../../database/sql/write/compile-select.ts'
import { bindable } from '../../database/sql/values/bindable.ts'
import { Draft } from '../../database/sql/write/draft.ts'
import { writeConditions } from '../../database/sql/write/write-conditions.ts'
import type { RelationLink } from './relation-link.ts'

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
    const { owner: column } = link
    const isOwned = { type: 'comparison', column, operator: Operators.In, value: values } as const
    return compileSelect({ ...plan, conditions: [isOwned, ...plan.conditions] }, dialect)
  }
  const source = new RelatedSource(link, plan, dialect)
  const { columns, draft } = source
  const rows = source.write(source.inList(values))
  return draft.rawQuery(`SELECT ${columns} ${rows}${orderClause(plan.orderings, draft)}`)
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
  const rows = source.write(source.inList(values))
  return draft.rawQuery(`SELECT ${owner}, COUNT(*) ${rows} GROUP BY ${owner}`)
}

// A statement with many branches takes long to plan, and SQLite refuses more than 500.
const maxBranches = 64

/**
 * Selects the related rows of these values when a limit or an offset counts within the rows of each.
 * The values are looked up one by one, so that an index is read no further than the limit. Ranking, which
 * reads all rows of all values, is left for more values than a statement should have branches.
 * @throws InvalidArgumentException for an invalid value.
 */
function slicedRows(
  link: RelationLink,
  plan: SelectPlan,
  values: readonly unknown[],
  dialect: Dialect,
): Query {
  const source = new RelatedSource(link, plan, dialect)
  const { draft } = source
  if (dialect.hasLateral) return draft.rawQuery(writeLateral(source, plan, values))
  if (values.length <= maxBranches) {
    const query = draft.rawQuery(writeUnion(source, plan, values))
    if (query.parameters.length <= dialect.maxParameters) return query
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

// The branches differ in the value alone, which each binds first, at a place that has no number.
function writeUnion(source: RelatedSource, plan: SelectPlan, values: readonly unknown[]): string {
  const { columns, draft } = source
  const { dialect, parameters } = draft
  const [first, ...others] = ownersOf(source, values)
  if (first === undefined) throw new TypeError('unreachable: there are values')
  const branch = dialect.unionBranch(writeSlice(source, plan, first), columns)
  const narrowing = parameters.slice(1)
  for (const bind of others) {
    bind()
    parameters.push(...narrowing)
  }
  const texts = dialect.columns.texts(plan.columns).with(branch).with(values.length)
  return (texts.text ??= branch + ` UNION ALL ${branch}`.repeat(others.length))
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
  return draft.rawQuery(
    `SELECT ${columns} FROM (${ranked}) AS framework_ranked` +
      ` WHERE framework_rank > ${first}${last}${order}`,
  )
}

/** Writes the condition for the quoted column of the values that related rows belong to. */
type WriteOwned = (column: string) => string

/** The related rows of a plan, in a statement under construction. */
class RelatedSource {
  readonly draft: Draft
  readonly #link: RelationLink
  readonly #plan: SelectPlan

  constructor(link: RelationLink, plan: SelectPlan, dialect: Dialect) {
    this.#link = link
    this.#plan = plan
    this.draft = new Draft(dialect, plan.table)
  }

  /** The columns to select: those of the plan, and with a bridge the value that the row belongs to. */
  get columns(): string {
    const list = this.draft.dialect.columns.list(this.#plan.columns)
    return this.#link.bridge === null ? list : `${list}, framework_owner`
  }

  /** The column of the value that a row belongs to, in the selected rows. */
  get owner(): string {
    const { bridge, owner } = this.#link
    return bridge === null ? this.draft.name(owner) : 'framework_owner'
  }

  /** The same where it is stored. */
  get storedOwner(): { readonly table: string; readonly column: string } {
    const { bridge, owner } = this.#link
    const { quote } = this.draft.dialect
    if (bridge === null) return { table: quote(this.#plan.table), column: this.draft.name(owner) }
    return { table: quote(bridge.through), column: quote(bridge.source) }
  }

  /** `FROM … WHERE …`. */
  write(owned: WriteOwned): string {
    const { bridge, target } = this.#link
    const { quote } = this.draft.dialect
    const { table, column } = this.storedOwner
    if (bridge === null) {
      const own = owned(column)
      const conditions = writeConditions(this.#plan.conditions, this.draft)
      return `FROM ${table} WHERE ${conditions === '' ? own : `${own} AND ${conditions}`}`
    }
    // Renamed, so that every other name in the statement is a column of the target.
    const pairs =
      `SELECT ${column} AS framework_owner, ${quote(bridge.target)} AS framework_target` +
      ` FROM ${table} WHERE ${owned(column)}`
    const conditions = writeConditions(this.#plan.conditions, this.draft)
    return (
      `FROM (${pairs}) AS framework_bridge INNER JOIN ${quote(this.#plan.table)}` +
      ` ON ${this.draft.name(target.key)} = framework_target` +
      (conditions === '' ? '' : ` WHERE ${conditions}`)
    )
  }

  /** That a row belongs to one of these values. */
  inList(values: readonly unknown[]): WriteOwned {
    return (column) => `${column} IN (${values.map((value) => this.bind(value)).join(', ')})`
  }

  /**
   * Binds a value to compare the column with, and returns its placeholder.
   * @throws InvalidArgumentException for an invalid value.
   */
  bind(value: unknown): string {
    const { owner } = this.#link
    return this.draft.comparand(owner, bindable(owner, value, this.draft.dialect))
  }

  /** Binds NULL, to which no row belongs. */
  bindNone(): string {
    return this.draft.comparand(this.#link.owner, null)
  }
}
