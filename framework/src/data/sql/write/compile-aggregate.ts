import { InvalidArgumentException } from '../../../base/errors.ts'
import type { AggregatePlan, AggregateTerm, GroupOrdering, Having } from '../plan/aggregate.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Ordering } from '../plan/select-plan.ts'
import type { Query } from '../plan/query.ts'
import { hasDigits, unitsOf } from '../values/decimal.ts'
import { Draft } from './draft.ts'
import { writeComparison } from './write-comparison.ts'
import { whereClause } from './write-conditions.ts'
import { limitClause, orderClause } from './write-order.ts'

/**
 * Compiles a select of groups. Its rows are raw: the columns of the group, then what each term
 * needs, see `termColumns`.
 * @throws InvalidArgumentException for an invalid value.
 */
export function compileAggregate(plan: AggregatePlan, dialect: Dialect): Query {
  const { table, conditions, groups, terms, having, orderings } = plan
  const draft = new Draft(dialect, table)
  const names = groups.map((column) => draft.name(column))
  const values = terms.flatMap((term) => selected(term, draft))
  const where = whereClause(conditions, draft)
  const groupBy = names.length === 0 ? '' : ` GROUP BY ${names.join(', ')}`
  const held = having.map((condition) => writeHaving(condition, draft)).join(' AND ')
  const order = orderClause(
    orderings.map((ordering) => groupOrdering(ordering, draft)),
    draft,
  )
  const sql =
    `SELECT ${[...names, ...values].join(', ')} FROM ${dialect.quote(table)}${where}${groupBy}` +
    `${held === '' ? '' : ` HAVING ${held}`}${order}${limitClause(plan, draft)}`
  return { sql, parameters: draft.parameters, raw: true }
}

/** How many raw values a term takes: an average is divided where it is read. */
export function termColumns({ kind }: AggregateTerm): number {
  return kind === 'average' ? 2 : 1
}

function selected({ kind, column }: AggregateTerm, draft: Draft): readonly string[] {
  if (column === null) return ['COUNT(*)']
  const name = draft.name(column)
  if (kind === 'count') return [`COUNT(${name})`]
  if (kind === 'minimum' || kind === 'maximum') return [extreme(kind, column, draft)]
  const sum = draft.dialect.sums.exact(name, column)
  return kind === 'sum' ? [sum] : [sum, `COUNT(${name})`]
}

function extreme(kind: 'minimum' | 'maximum', column: ColumnReference, draft: Draft): string {
  const value = draft.dialect.orderedBy(draft.name(column), column)
  return `${kind === 'minimum' ? 'MIN' : 'MAX'}(${value})`
}

function groupOrdering({ by, order, nulls }: GroupOrdering, draft: Draft): Ordering {
  return { column: 'name' in by ? by : computedColumn(by, draft), order, nulls }
}

function writeHaving({ term, operator, value }: Having, draft: Draft): string {
  const column = computedColumn(term, draft)
  const compare = (own: unknown): unknown => comparedValue(term, column, own)
  const values = Array.isArray(value) ? value.map(compare) : compare(value)
  return writeComparison({ type: 'comparison', column, operator, value: values }, draft)
}

// A column whose name in this statement is the expression of a term.
function computedColumn(term: AggregateTerm, draft: Draft): ColumnReference {
  const { kind, column } = term
  const { sums } = draft.dialect
  if (column === null || kind === 'count') {
    const counted = column === null ? '*' : draft.name(column)
    return draft.computed({ ...whole, name: 'count', kind: 'bigint' }, `COUNT(${counted})`)
  }
  if (kind === 'minimum' || kind === 'maximum') {
    return draft.computed({ ...column }, extreme(kind, column, draft))
  }
  const name = draft.name(column)
  if (kind === 'average') return draft.computed({ ...column, kind: 'float' }, sums.average(name))
  if (column.kind === 'float') return draft.computed({ ...column }, `SUM(${name})`)
  if (column.kind === 'decimal' && !sums.inUnits) {
    return draft.computed({ ...column, precision: sumDigits }, `SUM(${name})`)
  }
  return draft.computed({ ...column, kind: 'bigint' }, sums.compared(name, column))
}

const whole = { isNullable: false, precision: 15, scale: 0 } as const

/** Digits of a sum of decimals: as many as every database compares exactly. */
const sumDigits = 50

function comparedValue(term: AggregateTerm, computed: ColumnReference, value: unknown): unknown {
  const { kind, column } = term
  if (value === undefined || value === null) return value
  if (kind === 'average' && typeof value === 'string' && hasDigits(value, 30, 30)) {
    return Number(value)
  }
  if (computed.kind !== 'bigint' || typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (column?.kind === 'decimal' && typeof value === 'string') {
    const { scale } = column
    if (hasDigits(value, 30, scale)) return unitsOf(value, scale)
    throw new InvalidArgumentException(
      'E_COLUMN_VALUE',
      `a sum of ${column.name} is compared with a decimal as a text, at most ${scale} digits after the point`,
    )
  }
  return value
}
