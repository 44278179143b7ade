import { invalidArgument, InvalidArgumentException } from '../../../base/errors.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Query } from '../plan/statement.ts'
import type { Ordering, SelectPlan, SeekPosition } from '../plan/select-plan.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import { Nulls, Orders } from '../plan/operators.ts'
import { Draft } from './draft.ts'
import { where, whereClause, writeConditions } from './write-conditions.ts'

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
  const { seek, orderings, columns, table, isDistinct = false } = plan
  const rows = rowConditions(plan, draft, seek === null ? null : () => writeSeek(seek, draft))
  const end = orderClause(orderings, draft) + limitClause(plan, draft) + lockClause(plan, draft)
  const known = draft.dialect.columns.texts(columns).with(table).with(isDistinct)
  const texts = known.with(rows).with(end)
  return (texts.text ??= selectRows(plan, draft) + where(rows) + end)
}

/** `SELECT … FROM … WHERE …` of a plan, without its order; `seek` writes one more condition. */
export function writeRows(
  plan: SelectPlan,
  draft: Draft,
  seek: (() => string) | null = null,
): string {
  return selectRows(plan, draft) + where(rowConditions(plan, draft, seek))
}

function selectRows({ columns, table, isDistinct = false }: SelectPlan, draft: Draft): string {
  const { dialect } = draft
  const select = isDistinct
    ? distinctClause(columns, draft)
    : `SELECT ${dialect.columns.list(columns)}`
  return `${select} FROM ${dialect.quote(table)}`
}

function rowConditions(plan: SelectPlan, draft: Draft, seek: (() => string) | null): string {
  const sql = writeConditions(plan.conditions, draft)
  if (seek === null) return sql
  return sql === '' ? seek() : `${sql} AND ${seek()}`
}

// Distinct rows can be ordered only by what is selected.
function distinctClause(columns: readonly ColumnReference[], draft: Draft): string {
  const parts = columns.map((column) => draft.dialect.orderedBy(draft.name(column), column))
  return `SELECT DISTINCT ${parts.join(', ')}`
}

/** ` ORDER BY …`, or '' when there is no order. */
export function orderClause(orderings: readonly Ordering[], draft: Draft): string {
  let sql = ''
  for (const ordering of orderings) {
    sql += sql === '' ? ' ORDER BY ' : ', '
    sql += writeOrdering(ordering, draft)
  }
  return sql
}

function writeOrdering({ column, order, nulls }: Ordering, draft: Draft): string {
  const name = draft.dialect.orderedBy(draft.name(column), column)
  const direction = order === Orders.Desc ? 'DESC' : 'ASC'
  if (nulls === null) return `${name} ${direction}`
  return draft.dialect.orderNulls(name, direction, nulls === Nulls.First ? 'FIRST' : 'LAST')
}

/**
 * ` LIMIT … OFFSET …`, or '' for all rows. The limit is part of the text, after a check: with a
 * parameter a planner assumes a fraction of the table and may plan the statement each time.
 * @throws InvalidArgumentException unless both are whole numbers.
 */
export function limitClause(
  { limit, offset }: Pick<SelectPlan, 'limit' | 'offset'>,
  draft: Draft,
): string {
  if (limit === null && offset === 0) return ''
  const slice = limit === null ? draft.dialect.noLimit : ` LIMIT ${whole('limit', limit)}`
  return offset === 0 ? slice : `${slice} OFFSET ${draft.bind(whole('offset', offset))}`
}

function whole(name: string, rows: number): number {
  if (Number.isSafeInteger(rows) && rows >= 0) return rows
  throw invalidArgument(`${name} must be a whole number, at least 0`)
}

/** ` FOR UPDATE` or the like; '' on a database whose transactions lock more than rows. */
export function lockClause({ lock, locked = null }: SelectPlan, { dialect }: Draft): string {
  if (lock === null) return ''
  return dialect.locks[lock] + (locked === null ? '' : dialect.locks[locked])
}

/**
 * The branches of a plan's seek, if they are better searched one by one: an index serves each of
 * them, but none serves them joined by OR unless the planner splits that. Null if one condition is
 * enough.
 */
function unionBranches(plan: SelectPlan, dialect: Dialect): readonly SeekBranch[] | null {
  const { seek, orderings, columns, limit, offset, lock } = plan
  if (seek === null || limit === null || offset > 0 || lock !== null) return null
  if (dialect.splitsAlternatives) return null
  if (!isSameOrder(orderings, seek.orderings)) return null
  // The ORDER BY of a union can name only selected columns.
  const isNamed = ({ column }: Ordering): boolean =>
    columns.includes(column) && dialect.orderedBy(column.name, column) === column.name
  if (!orderings.every(isNamed)) return null
  const branches = seekBranches(seek, dialect)
  return branches.length > 1 ? branches : null
}

/** The branches of a seek joined by UNION ALL, with the order and limit of the plan. */
function writeUnion(plan: SelectPlan, branches: readonly SeekBranch[], draft: Draft): string {
  const end = orderClause(plan.orderings, draft) + limitClause(plan, draft)
  // Unless branches are merged lazily, each needs its own limit.
  const isLazy = draft.dialect.mergesUnions
  const written = branches.map((branch) => {
    const rows = writeRows(plan, draft, () => writeBranch(branch, draft))
    return isLazy ? rows : `(${rows}${end})`
  })
  return written.join(' UNION ALL ') + end
}

function isSameOrder(some: readonly Ordering[], others: readonly Ordering[]): boolean {
  if (some === others) return true
  if (some.length !== others.length) return false
  return some.every(({ column, order, nulls }, at) => {
    const other = others[at]
    return column === other?.column && order === other.order && nulls === other.nulls
  })
}

/**
 * `SELECT COUNT(*) AS total` with the conditions of a plan; order, seek, limit, offset and lock are
 * ignored. Most databases return the total as a bigint.
 */
export function compileCount(plan: SelectPlan, dialect: Dialect): Query {
  const draft = new Draft(dialect, plan.table)
  // Equal rows are one, so the columns matter.
  const { isDistinct = false, table } = plan
  const rows = isDistinct ? writeRows(plan, draft) : whereClause(plan.conditions, draft)
  const texts = dialect.columns.texts(plan.columns).with(table).with('count').with(rows)
  texts.text ??= `SELECT COUNT(*) AS total FROM ${
    isDistinct ? `(${rows}) AS framework_counted` : dialect.quote(table) + rows
  }`
  return { sql: texts.text, parameters: draft.parameters }
}

/**
 * Selects the same rows as `compileSelect`, for a large offset: rows are skipped by key alone, in
 * an index, and whole rows are read only for the page. The keys are unique together; by default
 * they are the last ordering of the plan. A plan with a seek, a lock or distinct rows is compiled by
 * `compileSelect`.
 * @throws InvalidArgumentException for an invalid value, or without an order.
 */
export function compileDeferred(
  plan: SelectPlan,
  dialect: Dialect,
  keyColumns: readonly ColumnReference[] | null = null,
): Query {
  const isPlain = plan.seek !== null || plan.lock !== null || plan.isDistinct === true
  if (isPlain) return compileSelect(plan, dialect)
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
  throw invalidArgument('a deferred page needs an order whose last column is unique')
}

/** One column of a position, its value, and the comparison for rows after it. */
interface SeekStep {
  readonly column: ColumnReference
  readonly value: unknown
  readonly sign: '>' | '<'
}

/** Rows that equal a position in some columns and are beyond it in the columns after those. */
interface SeekBranch {
  readonly equal: readonly SeekStep[]
  readonly beyond: readonly SeekStep[]
}

/**
 * Splits the rows after a position into branches that an index can search one by one, nearest
 * first.
 * @throws InvalidArgumentException (E_CURSOR) without exactly one value for each ordering.
 */
function seekBranches(seek: SeekPosition, dialect: Dialect): readonly SeekBranch[] {
  const steps = stepsOf(seek)
  const branches: SeekBranch[] = []
  let from = 0
  for (const [at, { sign }] of steps.entries()) {
    if (dialect.seeksByRows && steps[at + 1]?.sign === sign) continue
    branches.unshift({ equal: steps.slice(0, from), beyond: steps.slice(from, at + 1) })
    from = at + 1
  }
  return branches
}

/** One branch of a seek. */
function writeBranch({ equal, beyond }: SeekBranch, draft: Draft): string {
  let sql = ''
  for (const step of equal) sql += `${compared(step, '=', draft)} AND `
  return sql + writeBeyond(beyond, draft)
}

/**
 * The rows after a position as one condition.
 * @throws InvalidArgumentException (E_CURSOR) without exactly one value for each ordering.
 */
function writeSeek(seek: SeekPosition, draft: Draft): string {
  const steps = stepsOf(seek)
  const [first] = steps
  if (first === undefined) throw invalidPosition('its order has no columns')
  const isUniform = steps.every(({ sign }) => sign === first.sign)
  const { splitsAlternatives } = draft.dialect
  if (steps.length === 1 || (isUniform && !splitsAlternatives)) return writeBeyond(steps, draft)
  // A planner that splits the chain into ranges is slower with an additional bound.
  if (splitsAlternatives) return writeChain(steps, draft)
  // The bound on the first column is redundant, but an index can start with it.
  return `${compared(first, `${first.sign}=`, draft)} AND ${writeChain(steps, draft)}`
}

function writeChain([first, ...rest]: readonly SeekStep[], draft: Draft): string {
  if (first === undefined) return ''
  const beyond = compared(first, first.sign, draft)
  if (rest.length === 0) return beyond
  return `(${beyond} OR (${compared(first, '=', draft)} AND ${writeChain(rest, draft)}))`
}

function writeBeyond(steps: readonly SeekStep[], draft: Draft): string {
  const [first] = steps
  if (first !== undefined && steps.length === 1) return compared(first, first.sign, draft)
  const names = steps.map(({ column }) => draft.ranked(column)).join(', ')
  const places = steps.map(({ column, value }) => draft.comparand(column, value))
  return `(${names}) ${first?.sign} (${places.join(', ')})`
}

function compared({ column, value }: SeekStep, operator: string, draft: Draft): string {
  const name = operator === '=' ? draft.name(column) : draft.ranked(column)
  return `${name} ${operator} ${draft.comparand(column, value)}`
}

function stepsOf({ orderings, values }: SeekPosition): readonly SeekStep[] {
  if (values.length !== orderings.length)
    throw invalidPosition('it needs one value for each column')
  return orderings.map(({ column, order }, at) => {
    const value = values[at]
    if (value === null || value === undefined) throw invalidPosition(`${column.name} has no value`)
    return { column, value, sign: order === Orders.Desc ? '<' : '>' }
  })
}

function invalidPosition(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_CURSOR', `the position of a seek is invalid: ${reason}`)
}
