import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { average, count, maximum, minimum, sum } from '../../../../src/orm/aggregate.ts'
import type { Aggregate } from '../../../../src/orm/aggregate.ts'
import { Operators } from '../../../../src/database/sql/plan/operators.ts'
import { explained, pickedFrom } from './checks.ts'
import type { Choices } from './choices.ts'
import { makeConditions } from './conditions.ts'
import type { Condition } from './conditions.ts'
import { asText, digits, kinds } from './kinds.ts'
import type { KindName } from './kinds.ts'
import { comparisons, holdsAll, sorted } from './model.ts'
import { PlainSql } from './plain-sql.ts'
import { applyConditions, isOrdered } from './reads.ts'
import { plainRows } from './stage.ts'
import type { Stage } from './stage.ts'
import { visibleRows } from './world.ts'
import type { ColumnSpec, Row, TableSpec } from './world.ts'

/** What to compute; a column of null counts rows. */
interface Term {
  readonly kind: 'count' | 'sum' | 'average' | 'minimum' | 'maximum'
  readonly column: ColumnSpec | null
}

/** A condition on a term. */
interface Having {
  readonly term: Term
  readonly operator: Operators
  readonly value: unknown
}

const numeric = new Set<KindName>(['integer', 'safe-integer', 'bigint', 'decimal', 'float'])
const unordered = new Set<KindName>(['boolean', 'json', 'bytes', 'uuid'])
const operators = [
  Operators.Greater,
  Operators.Less,
  Operators.Equal,
  Operators.Unequal,
  Operators.LessOrEqual,
  Operators.Between,
  Operators.In,
  Operators.IsNull,
  Operators.IsNotNull,
]

/** `aggregate` of random groups, with all that it computes. */
export async function checkAggregate(stage: Stage, choices: Choices): Promise<void> {
  const table = choices.pick(stage.tables)
  const conditions = makeConditions(choices, table, 2)
  const groups = choices.some(table.columns.filter(isOrdered), 2)
  const terms = choices.list(1, 3, () => makeTerm(choices, table))
  const havings = choices.list(0, 1, () => makeHaving(choices, table))
  const limit = groups.length > 0 && choices.chance(30) ? choices.number(3) : null
  const notes = { table: table.name, conditions, groups, terms, havings, limit }
  await explained(stage, notes, async () => {
    const orders = groups.map((column) => ({ column, order: 'desc', nulls: 'last' }) as const)
    const rows = sorted(
      visibleRows(table).filter((row) => holdsAll(conditions, row)),
      orders,
      stage.database.dialect.name,
    )
    const found = groupsOf(rows, groups)
    assert.deepEqual(
      found.map((group) => String(group.length)),
      await plainCounts(stage, { table, conditions, groups }),
    )
    const kept = found
      .filter((group) => havings.every((having) => isHaving(having, group)))
      .slice(0, limit ?? undefined)
    const repository = stage.repository(table)
    const selection = repository.select()
    applyConditions(selection, conditions)
    if (groups.length > 0) selection.groupBy(...groups.map(({ property }) => property))
    for (const { term, operator, value } of havings) {
      if (value === undefined) selection.having(aggregateOf(term), operator)
      else selection.having(aggregateOf(term), operator, value)
    }
    for (const { column, order, nulls } of orders) {
      if (column.isNullable) selection.order(order, column.property, nulls)
      else selection.order(order, column.property)
    }
    if (limit !== null) selection.limit(limit)
    const computed = repository.aggregate(
      selection,
      Object.fromEntries(terms.map((term, index) => [`term${index}`, aggregateOf(term)])),
    )
    const values = kept.map((group) => terms.map((term) => valueOf(term, group)))
    if (values.flat().includes(beyond)) {
      return assert.rejects(computed, { code: 'E_INTEGER_RANGE' })
    }
    const results = await computed
    assert.equal(results.length, kept.length)
    for (const [index, result] of results.entries()) {
      const [row = {}] = kept[index] ?? []
      const { ...own } = pickedFrom(row, groups)
      for (const [at, value] of (values[index] ?? []).entries()) {
        own[`term${at}`] = near(result[`term${at}`], value)
      }
      assert.deepEqual(result, own)
    }
  })
}

/** A sum that a number cannot hold. */
const beyond = Symbol('beyond')

function makeTerm(choices: Choices, { columns }: TableSpec): Term {
  const summed = columns.filter(({ kind }) => numeric.has(kind))
  const compared = columns.filter(({ kind }) => !unordered.has(kind))
  const kind = choices.pick(['count', 'sum', 'maximum', 'average', 'minimum'] as const)
  if (kind === 'count') return { kind, column: choices.pick([null, ...columns]) }
  const fitting = kind === 'minimum' || kind === 'maximum' ? compared : summed
  return fitting.length === 0
    ? { kind: 'count', column: null }
    : { kind, column: choices.pick(fitting) }
}

function makeHaving(choices: Choices, table: TableSpec): Having {
  const made = makeTerm(choices, table)
  // Rounding decides whether an average or a sum of floats is equal to something.
  const isInexact =
    made.kind === 'average' || (made.kind === 'sum' && made.column?.kind === 'float')
  const term: Term = isInexact ? { kind: 'count', column: made.column } : made
  const operator = choices.pick(operators)
  const { kind, column } = term
  const pool = kind === 'count' || column === null ? [0, 1, 2, 3] : kinds[column.kind].pool
  const one = (): unknown => choices.pick(pool)
  if (operator === Operators.IsNull || operator === Operators.IsNotNull) {
    return { term, operator, value: undefined }
  }
  if (operator === Operators.Between) return { term, operator, value: [one(), one()] }
  if (operator === Operators.In) return { term, operator, value: choices.list(0, 3, one) }
  return { term, operator, value: one() }
}

function aggregateOf({ kind, column }: Term): Aggregate<Term['kind'], string | null> {
  if (column === null) return count()
  const made = { count, sum, average, minimum, maximum }[kind]
  return made(column.property)
}

/** Rows in order, cut where the values of the group change; without columns all are one group. */
function groupsOf(rows: readonly Row[], columns: readonly ColumnSpec[]): readonly Row[][] {
  if (columns.length === 0) return [[...rows]]
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const id = inspect(pickedFrom(row, columns))
    groups.set(id, [...(groups.get(id) ?? []), row])
  }
  return [...groups.values()]
}

function isHaving({ term, operator, value }: Having, group: readonly Row[]): boolean {
  const { kind, column } = term
  const computed = exactValue(term, group)
  if (operator === Operators.IsNull) return computed === null
  if (computed === null) return false
  const compare =
    kind === 'count' || column === null ? kinds.integer.compare : kinds[column.kind].compare
  return comparisons[operator](computed, value, compare)
}

/** What a term is, as `aggregate` returns it. */
function valueOf(term: Term, group: readonly Row[]): unknown {
  const value = exactValue(term, group)
  const { kind, column } = term
  if (value === null || column === null || (kind !== 'sum' && kind !== 'average')) return value
  if (kind === 'average') return averageOf(column, group)
  if (column.kind === 'bigint' || column.kind === 'decimal' || column.kind === 'float') return value
  const isSafe = typeof value === 'bigint' && BigInt(Number(value)) === value
  return isSafe && Number.isSafeInteger(Number(value)) ? Number(value) : beyond
}

/** The same, with sums of integers as bigints. */
function exactValue({ kind, column }: Term, group: readonly Row[]): unknown {
  if (column === null) return group.length
  const values = group.map((row) => row[column.property]).filter((value) => value !== null)
  if (kind === 'count') return values.length
  if (values.length === 0) return null
  const { compare } = kinds[column.kind]
  if (kind === 'minimum') return values.toSorted(compare)[0]
  if (kind === 'maximum') return values.toSorted(compare).at(-1)
  if (column.kind === 'float') return values.reduce<number>((all, one) => all + Number(one), 0)
  if (column.kind === 'decimal') return decimalText(totalOf(values.map(digits)), 3)
  return totalOf(values.map((value) => BigInt(asText(value))))
}

function averageOf(column: ColumnSpec, group: readonly Row[]): unknown {
  const values = group.map((row) => row[column.property]).filter((value) => value !== null)
  const { length } = values
  if (column.kind === 'float') {
    return values.reduce<number>((all, one) => all + Number(one) / length, 0)
  }
  if (column.kind !== 'decimal') {
    const total = totalOf(values.map((value) => BigInt(asText(value))))
    return Number((total * 10n ** 12n) / BigInt(length)) / 1e12
  }
  const tenfold = totalOf(values.map(digits)) * 100_000n
  const each = tenfold / BigInt(length)
  const isUp = (each < 0n ? -each : each) % 10n >= 5n
  return decimalText(each / 10n + (isUp ? (tenfold < 0n ? -1n : 1n) : 0n), 7)
}

function totalOf(values: readonly bigint[]): bigint {
  return values.reduce((all, one) => all + one, 0n)
}

function decimalText(units: bigint, scale: number): string {
  const text = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  return `${units < 0n ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`
}

/** What was computed, if it is a number as good as the expected one; otherwise the expected one. */
function near(computed: unknown, expected: unknown): unknown {
  if (typeof computed !== 'number' || typeof expected !== 'number') return expected
  const tolerance = 1e-9 * Math.max(1, Math.abs(expected))
  return Math.abs(computed - expected) <= tolerance ? computed : expected
}

interface Counted {
  readonly table: TableSpec
  readonly conditions: readonly Condition[]
  readonly groups: readonly ColumnSpec[]
}

async function plainCounts(
  stage: Stage,
  { table, conditions, groups }: Counted,
): Promise<readonly string[]> {
  const plain = new PlainSql(stage.database.dialect)
  const orders = groups.map((column) => ({ column, order: 'desc', nulls: 'last' }) as const)
  const names = groups.map((column) => plain.name(column, 't')).join(', ')
  const grouped =
    groups.length === 0 ? '' : ` GROUP BY ${names} ORDER BY ${plain.order(orders, 't')}`
  const rows = await plainRows(
    stage,
    `SELECT COUNT(*) FROM ${plain.quote(table.name)} t` +
      ` WHERE ${plain.isVisible(table, 't')} AND ${plain.all(conditions, 't')}${grouped}`,
  )
  return rows.map(([counted]) => counted ?? '')
}
