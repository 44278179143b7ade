import { InvalidArgumentException } from '../../../base/errors.ts'
import type { AggregatePlan, AggregateTerm, GroupColumn, Having } from '../plan/select-plan.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Query } from '../plan/statement.ts'
import { sumDigits } from '../dialects/sum-dialect.ts'
import { hasDigits, unitsOf } from '../values/decimal.ts'
import { Draft } from './draft.ts'
import { writeComparison } from './write-comparison.ts'
import { whereClause } from './write-conditions.ts'
import { limitClause, orderClause } from './compile-select.ts'

/**
 * Compiles a select of groups. Its rows are raw: the columns of the group, then what each term
 * needs, see `termColumns`.
 * @throws InvalidArgumentException for an invalid value.
 */
export function compileAggregate(plan: AggregatePlan, dialect: Dialect): Query {
  const { table, conditions, groups, terms, having, orderings } = plan
  const draft = new Draft(dialect, table)
  const joins = groups.map((column, at) => writeJoin(column, at, draft)).join('')
  const names = groups.map((column) => draft.name(column))
  const values = terms.flatMap((term) => selected(term, draft))
  const where = whereClause(conditions, draft)
  const groupBy = names.length === 0 ? '' : ` GROUP BY ${names.join(', ')}`
  const held = having.map((condition) => writeHaving(condition, draft)).join(' AND ')
  const order = orderClause(
    orderings.map(({ by, order, nulls }) => {
      return { column: 'name' in by ? by : computedColumn(by, draft), order, nulls }
    }),
    draft,
  )
  const sql =
    `SELECT ${[...names, ...values].join(', ')} FROM ${dialect.quote(table)}${joins}${where}${groupBy}` +
    `${held === '' ? '' : ` HAVING ${held}`}${order}${limitClause(plan, draft)}`
  return { sql, parameters: draft.parameters, raw: true }
}

// What is joined has names of its own, so that those of conditions and custom SQL stay those of the table.
function writeJoin(group: GroupColumn, at: number, draft: Draft): string {
  if (group.join === undefined) return ''
  const { from, table, owner, column, conditions } = group.join
  const [key, value] = [`framework_key_${at}`, `framework_group_${at}`]
  const reference = `${draft.scope}.${draft.name(from)}`
  draft.computed(group, value)
  return draft.within(table, (source) => {
    const columns = `${draft.name(owner)} AS ${key}, ${draft.name(column)} AS ${value}`
    const rows = `SELECT ${columns} FROM ${source}${whereClause(conditions, draft)}`
    return ` LEFT JOIN (${rows}) AS framework_join_${at} ON ${key} = ${reference}`
  })
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

function writeHaving({ term, operator, value }: Having, draft: Draft): string {
  const column = computedColumn(term, draft)
  const compare = (own: unknown): unknown => comparedValue(term, own, draft.dialect)
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
  const computed = {
    ...column,
    kind: sums.comparedKind,
    precision: sumDigits,
    scale: scaleOf(column),
  }
  return draft.computed(computed, sums.compared(name, column))
}

const whole = { isNullable: false, precision: 15, scale: 0 } as const

function scaleOf({ kind, scale }: ColumnReference): number {
  return kind === 'decimal' ? scale : 0
}

function comparedValue(
  { kind, column }: AggregateTerm,
  value: unknown,
  { sums }: Dialect,
): unknown {
  if (value === undefined || value === null) return value
  if (kind === 'average' && typeof value === 'string' && hasDigits(value, 30, 30)) {
    return Number(value)
  }
  if (kind === 'count') return wholeUnits(value) ?? value
  if (kind !== 'sum' || column === null || column.kind === 'float') return value
  const units = column.kind === 'decimal' ? decimalUnits(value, column) : wholeUnits(value)
  if (units !== undefined) return sums.comparand(units, scaleOf(column))
  const accepted =
    column.kind === 'decimal'
      ? `a decimal as a text, at most ${column.scale} digits after the point`
      : 'a whole number'
  throw new InvalidArgumentException(
    'E_COLUMN_VALUE',
    `a sum of ${column.name} is compared with ${accepted}`,
  )
}

function wholeUnits(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined
}

function decimalUnits(value: unknown, { scale }: ColumnReference): bigint | undefined {
  const fits = typeof value === 'string' && hasDigits(value, Infinity, scale)
  return fits ? unitsOf(value, scale) : undefined
}
