import type { Dialect } from '../dialects/dialect.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import { Nulls, Orders } from '../plan/operators.ts'
import type { Query } from '../plan/statement.ts'
import type { Ordering, SelectPlan } from '../plan/select-plan.ts'
import { Draft } from './draft.ts'
import { limitClause, lockClause, orderClause, writeRows } from './compile-select.ts'

/** What the rows of a part have in one column. */
interface PartStep {
  readonly column: ColumnReference
  readonly test: '=' | '>' | '<' | 'is null' | 'is not null'
  readonly value?: unknown
}

/** Rows that follow each other in an index, and what is left of their order. */
interface WalkPart {
  readonly steps: readonly PartStep[]
  readonly orderings: readonly Ordering[]
}

/**
 * Selects the rows after a position of an order that has nullable columns, or its first rows without
 * one. Each part, such as the rows with a value and the rows without, is one range of an index, read no
 * further than the limit; only their first rows are sorted together. The order says of each nullable
 * column where NULL comes.
 */
export function compileNullableWalk(plan: SelectPlan, dialect: Dialect): Query {
  const draft = new Draft(dialect, plan.table)
  const parts = partsOf(plan)
  const [first] = parts
  const write = (part: WalkPart): string => writePart(plan, part, draft)
  let sql: string
  if (plan.lock !== null || first === undefined) sql = writeWhole(plan, parts, draft)
  else if (parts.length === 1) sql = write(first)
  else {
    // By name, since a statement with * is prepared anew each time on SQLite.
    const select = `SELECT ${dialect.columns.list(plan.columns)} FROM`
    const rows = parts.map((part, at) => `${select} (${write(part)}) AS part_${at}`)
    const joined = `${select} (${rows.join(' UNION ALL ')}) AS framework_page`
    sql = joined + orderClause(plan.orderings, draft) + limitClause(plan, draft)
  }
  return { sql, parameters: draft.parameters, raw: true }
}

function partsOf({ orderings, seek }: SelectPlan): readonly WalkPart[] {
  if (seek === null) return firstParts(orderings)
  const parts: WalkPart[] = []
  const equal: PartStep[] = []
  for (const [at, ordering] of orderings.entries()) {
    const value = seek.values[at] ?? null
    const after = stepsAfter(ordering, value).map((step) => ({
      steps: [...equal, step],
      orderings: restOf(orderings.slice(at), step),
    }))
    // The nearest rows are those that equal the position in the most columns.
    parts.unshift(...after)
    const { column } = ordering
    equal.push(value === null ? { column, test: 'is null' } : { column, test: '=', value })
  }
  return parts
}

function firstParts(orderings: readonly Ordering[]): readonly WalkPart[] {
  const [first] = orderings
  if (first === undefined || !first.column.isNullable) return [{ steps: [], orderings }]
  const tests = first.nulls === Nulls.First ? nullTests.toReversed() : nullTests
  return tests.map((test) => {
    const step = { column: first.column, test }
    return { steps: [step], orderings: restOf(orderings, step) }
  })
}

const nullTests = ['is not null', 'is null'] as const

function stepsAfter({ column, order, nulls }: Ordering, value: unknown): readonly PartStep[] {
  if (value === null) return nulls === Nulls.First ? [{ column, test: 'is not null' }] : []
  const beyond: PartStep = { column, test: order === Orders.Desc ? '<' : '>', value }
  const isFollowed = column.isNullable && nulls !== Nulls.First
  return isFollowed ? [beyond, { column, test: 'is null' }] : [beyond]
}

// A column without NULL needs no position for it, so an index has the order as it is.
function restOf([first, ...rest]: readonly Ordering[], { test }: PartStep): readonly Ordering[] {
  return first === undefined || test === 'is null' ? rest : [{ ...first, nulls: null }, ...rest]
}

function writePart(plan: SelectPlan, { steps, orderings }: WalkPart, draft: Draft): string {
  const seek = steps.length === 0 ? null : (): string => writeSteps(steps, draft)
  return writeRows(plan, draft, seek) + orderClause(orderings, draft) + limitClause(plan, draft)
}

// A union cannot be locked.
function writeWhole(plan: SelectPlan, parts: readonly WalkPart[], draft: Draft): string {
  const conditions = parts.filter(({ steps }) => steps.length > 0)
  const seek = (): string =>
    conditions.length === 0
      ? '1 = 0'
      : `(${conditions.map(({ steps }) => `(${writeSteps(steps, draft)})`).join(' OR ')})`
  const isWhole = parts.some(({ steps }) => steps.length === 0)
  const rows = writeRows(plan, draft, isWhole ? null : seek)
  return (
    rows + orderClause(plan.orderings, draft) + limitClause(plan, draft) + lockClause(plan, draft)
  )
}

function writeSteps(steps: readonly PartStep[], draft: Draft): string {
  return steps.map((step) => writeStep(step, draft)).join(' AND ')
}

function writeStep({ column, test, value }: PartStep, draft: Draft): string {
  if (test === 'is null') return `${draft.name(column)} IS NULL`
  if (test === 'is not null') return `${draft.name(column)} IS NOT NULL`
  const name = test === '=' ? draft.name(column) : draft.ranked(column)
  return `${name} ${test} ${draft.comparand(column, value)}`
}
