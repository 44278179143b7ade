import { Nulls, Orders } from '../../../../src/database/sql/plan/operators.ts'
import type { Choices } from './choices.ts'
import { makeConditions } from './conditions.ts'
import type { Condition } from './conditions.ts'
import { kinds } from './kinds.ts'
import type { LooseRepository, LooseSelection } from './loose.ts'
import { columnOf } from './world.ts'
import type { ColumnSpec, RelationSpec, TableSpec } from './world.ts'

/** One column of an order. */
export interface OrderSpec {
  readonly column: ColumnSpec
  readonly order: Orders
  readonly nulls: Nulls | null
}

/** What to read from a table. */
export interface ReadSpec {
  readonly table: TableSpec
  readonly conditions: readonly Condition[]
  /** It ends with the key, so that there is one correct answer. */
  readonly orders: readonly OrderSpec[]
  readonly limit: number | null
  readonly offset: number
  readonly relations: readonly RelationRead[]
  readonly counts: readonly CountRead[]
  /** The columns to read; null for all. */
  readonly only: readonly ColumnSpec[] | null
}

/** A relation to load with the rows; a limit and an offset count for each of them. */
export interface RelationRead extends Omit<ReadSpec, 'table'> {
  readonly relation: RelationSpec
}

/** A relation to count. */
export interface CountRead {
  readonly relation: RelationSpec
  readonly conditions: readonly Condition[]
}

/** Anything that a selection can ask for. */
export function makeRead(choices: Choices, tables: readonly TableSpec[]): ReadSpec {
  const table = choices.pick(tables)
  return {
    table,
    conditions: makeConditions(choices, table),
    orders: makeOrders(choices, table, table.columns.filter(isOrdered)),
    limit: choices.chance(40) ? choices.number(6) : null,
    offset: choices.chance(25) ? choices.number(4) : 0,
    ...makeRelations(choices, table, 2),
    only: makeOnly(choices, table),
  }
}

/** All columns, mostly, or some. */
export function makeOnly(choices: Choices, table: TableSpec): readonly ColumnSpec[] | null {
  if (!choices.chance(30)) return null
  const some = choices.some(table.columns, 3)
  return some.length === 0 ? null : some
}

/** What to load and count of the relations of a table, down to some depth. */
export function makeRelations(
  choices: Choices,
  table: TableSpec,
  depth: number,
): Pick<ReadSpec, 'relations' | 'counts'> {
  return {
    relations: choices
      .some(table.relations, 2)
      .map((relation) => makeRelation(choices, relation, depth)),
    counts: choices.some(table.relations, choices.chance(50) ? 2 : 0).map((relation) => ({
      relation,
      conditions: choices.chance(50) ? makeConditions(choices, relation.target, 2, 1) : [],
    })),
  }
}

function makeRelation(choices: Choices, relation: RelationSpec, depth: number): RelationRead {
  const { kind, target, isNullable } = relation
  const plain = { relation, conditions: [], orders: [], limit: null, offset: 0, only: null }
  if (choices.chance(30)) return { ...plain, relations: [], counts: [] }
  const nested =
    depth > 0 ? makeRelations(choices, target, depth - 1) : { relations: [], counts: [] }
  // Every row has one, which cannot be narrowed.
  if (kind === 'belongs-to' && !isNullable) return { ...plain, ...nested }
  const conditions = makeConditions(choices, target, 2, 1)
  const only = makeOnly(choices, target)
  if (kind === 'belongs-to' || kind === 'has-one') return { ...plain, conditions, only, ...nested }
  return {
    relation,
    conditions,
    orders: choices.chance(60) ? makeOrders(choices, target, target.columns.filter(isOrdered)) : [],
    limit: choices.chance(60) ? choices.number(3) : null,
    offset: choices.chance(20) ? 1 : 0,
    only,
    ...nested,
  }
}

/** An order by some of these columns and the key. */
export function makeOrders(
  choices: Choices,
  table: TableSpec,
  columns: readonly ColumnSpec[],
): readonly OrderSpec[] {
  const orders = choices.some(columns, 3).map((column) => ({
    column,
    order: choices.pick(Object.values(Orders)),
    nulls: column.isNullable && choices.chance(60) ? choices.pick(Object.values(Nulls)) : null,
  }))
  if (orders.some(({ column }) => column.property === 'id')) return orders
  const order = choices.pick(Object.values(Orders))
  return [...orders, { column: columnOf(table, 'id'), order, nulls: null }]
}

/** Whether databases agree on the order of a column. */
export function isOrdered({ kind }: ColumnSpec): boolean {
  return kinds[kind].use !== 'null-only'
}

/** Whether a cursor can walk along a column. */
export function isWalkable({ kind, isNullable }: ColumnSpec): boolean {
  return kinds[kind].walks && !isNullable
}

/** The selection of the ORM for a read. */
export function selectionOf(repository: LooseRepository, read: ReadSpec): LooseSelection {
  return applyRead(repository.select(), read)
}

function applyRead(selection: LooseSelection, read: Omit<ReadSpec, 'table'>): LooseSelection {
  applyConditions(selection, read.conditions)
  for (const { column, order, nulls } of read.orders) {
    if (nulls === null) selection.order(order, column.property)
    else selection.order(order, column.property, nulls)
  }
  if (read.limit !== null) selection.limit(read.limit)
  if (read.offset > 0) selection.offset(read.offset)
  if (read.only !== null) selection.only(...read.only.map(({ property }) => property))
  for (const one of read.relations) {
    const { name } = one.relation
    if (isPlain(one)) selection.with(name)
    else selection.with({ [name]: (related: LooseSelection) => applyRead(related, one) })
  }
  for (const { relation, conditions } of read.counts) {
    if (conditions.length === 0) selection.withCount(relation.name)
    else {
      const narrow = (related: LooseSelection): void => applyConditions(related, conditions)
      selection.withCount({ [relation.name]: narrow })
    }
  }
  return selection
}

function isPlain(read: RelationRead): boolean {
  const { conditions, orders, limit, offset, relations, counts, only } = read
  const isWhole = limit === null && offset === 0 && only === null
  return isWhole && [conditions, orders, relations, counts].every(({ length }) => length === 0)
}

/** Adds conditions to a selection of the ORM. */
export function applyConditions(selection: LooseSelection, conditions: readonly Condition[]): void {
  for (const condition of conditions) {
    if (condition.type === 'either') {
      const branches = condition.branches.map(
        (branch) => (narrowed: LooseSelection) => applyConditions(narrowed, branch),
      )
      selection.either(...branches)
    } else if (condition.type === 'has') {
      const { name } = condition.relation
      const narrow = (related: LooseSelection): void =>
        applyConditions(related, condition.conditions)
      const given = condition.conditions.length === 0 ? [] : [narrow]
      if (condition.isNone) selection.hasNone(name, ...given)
      else selection.has(name, ...given)
    } else if (condition.type === 'match') {
      selection.match(condition.column.property, condition.match, condition.text)
    } else if (condition.value === undefined) {
      selection.filter(condition.column.property, condition.operator)
    } else selection.filter(condition.column.property, condition.operator, condition.value)
  }
}
