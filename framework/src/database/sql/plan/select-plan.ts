import type { ColumnReference } from './column-reference.ts'
import type { Condition } from './condition.ts'
import type { Nulls, Orders, Operators } from './operators.ts'

/** One column of an order. */
export interface Ordering {
  readonly column: ColumnReference
  readonly order: Orders
  readonly nulls: Nulls | null
}

/**
 * A position in an order, after which rows are wanted. There is one value for each ordering,
 * already converted (see `bindable`), and the last ordering is unique.
 */
export interface SeekPosition {
  readonly orderings: readonly Ordering[]
  readonly values: readonly unknown[]
}

/**
 * How a select locks its rows. The two weaker ones, where the database has them, exclude each other no
 * more than a row and the foreign keys to it have to: `no-key-update` excludes others that change the
 * row, `key-share` only those that delete it or change its key.
 */
export type RowLock = 'update' | 'no-key-update' | 'share' | 'key-share'

/** A select, independent of the database. */
export interface SelectPlan {
  readonly table: string
  /** The columns to read, in the order of the raw rows. */
  readonly columns: readonly ColumnReference[]
  readonly conditions: readonly Condition[]
  readonly orderings: readonly Ordering[]
  readonly seek: SeekPosition | null
  readonly limit: number | null
  readonly offset: number
  readonly lock: RowLock | null
  /** What a lock does about rows that are locked by others. @default wait for them */
  readonly locked?: 'skip' | 'fail' | null
  /** Whether equal rows are read once. @default false */
  readonly isDistinct?: boolean
}

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

/** A column to group by: of the table, or of the one row of another table that its rows refer to. */
export interface GroupColumn extends ColumnReference {
  readonly join?: GroupJoin
}

/** Where the value of a group is: NULL for a row that refers to none. */
export interface GroupJoin {
  /** The column of the grouped rows that refers to the other table, and its column that is equal. */
  readonly from: ColumnReference
  readonly table: string
  readonly owner: ColumnReference
  readonly column: ColumnReference
  readonly conditions: readonly Condition[]
}

/** A select of groups, independent of the database. Without columns to group by it is one row. */
export interface AggregatePlan {
  readonly table: string
  readonly conditions: readonly Condition[]
  readonly groups: readonly GroupColumn[]
  readonly terms: readonly AggregateTerm[]
  readonly having: readonly Having[]
  readonly orderings: readonly GroupOrdering[]
  readonly limit: number | null
  readonly offset: number
}
