import { Nulls, Orders } from '../../../../src/data/sql/plan/operators.ts'
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
  readonly relations: readonly RelationSpec[]
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
    relations: choices.some(table.relations, 3),
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
  const selection = repository.select()
  applyConditions(selection, read.conditions)
  for (const { column, order, nulls } of read.orders) {
    if (nulls === null) selection.order(order, column.property)
    else selection.order(order, column.property, nulls)
  }
  if (read.limit !== null) selection.limit(read.limit)
  if (read.offset > 0) selection.offset(read.offset)
  if (read.relations.length > 0) selection.with(...read.relations.map(({ name }) => name))
  return selection
}

/** Adds conditions to a selection of the ORM. */
export function applyConditions(selection: LooseSelection, conditions: readonly Condition[]): void {
  for (const condition of conditions) {
    if (condition.type === 'either') {
      const branches = condition.branches.map(
        (branch) => (narrowed: LooseSelection) => applyConditions(narrowed, branch),
      )
      selection.either(...branches)
    } else if (condition.type === 'match') {
      selection.match(condition.column.property, condition.match, condition.text)
    } else if (condition.value === undefined) {
      selection.filter(condition.column.property, condition.operator)
    } else selection.filter(condition.column.property, condition.operator, condition.value)
  }
}
