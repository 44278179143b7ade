import type { ColumnReference } from './column-reference.ts'
import type { Condition } from './condition.ts'
import type { Nulls, Operators, Orders } from './operators.ts'

/** What is computed from the rows of a group. */
export type AggregateKind = 'count' | 'sum' | 'average' | 'minimum' | 'maximum'

/** One value computed from the rows of a group; a count of all rows has no column. */
export interface AggregateTerm {
  readonly kind: AggregateKind
  readonly column: ColumnReference | null
}

/** A condition on the groups. */
export interface Having {
  readonly term: AggregateTerm
  readonly operator: Operators
  readonly value: unknown
}

/** An order of the groups, by one of their columns or by what is computed. */
export interface GroupOrdering {
  readonly by: ColumnReference | AggregateTerm
  readonly order: Orders
  readonly nulls: Nulls | null
}

/** A select of groups, independent of the database. Without columns to group by it is one row. */
export interface AggregatePlan {
  readonly table: string
  readonly conditions: readonly Condition[]
  readonly groups: readonly ColumnReference[]
  readonly terms: readonly AggregateTerm[]
  readonly having: readonly Having[]
  readonly orderings: readonly GroupOrdering[]
  readonly limit: number | null
  readonly offset: number
}
