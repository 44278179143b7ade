import type { ColumnReference } from './column-reference.ts'
import type { Matches, Operators } from './operators.ts'
import type { Statement } from './statement.ts'

/** A condition on the rows to select. */
export type Condition = Comparison | Matching | Either | Handwritten | Related

/** A column compared with a value: a pair for `Between`, a list for `In`, nothing for `Is…`. */
export interface Comparison {
  readonly type: 'comparison'
  readonly column: ColumnReference
  readonly operator: Operators
  readonly value: unknown
}

/** A text column compared with a pattern. */
export interface Matching {
  readonly type: 'matching'
  readonly column: ColumnReference
  readonly match: Matches
  readonly text: string
}

/** At least one branch matches; all conditions of a branch must match together. */
export interface Either {
  readonly type: 'either'
  readonly branches: readonly (readonly Condition[])[]
}

/** Custom SQL, in parentheses. */
export interface Handwritten {
  readonly type: 'handwritten'
  readonly statement: Statement
}

/** Whether there are related rows that match conditions. */
export interface Related {
  readonly type: 'related'
  /** Whether there must be one, or none. */
  readonly exists: boolean
  /** The column of the selected rows that is looked up. */
  readonly from: ColumnReference
  /** The table of the related rows, and its column that is equal. */
  readonly table: string
  readonly owner: ColumnReference
  /** The join table between them: `source` equals `from`, `target` equals `owner`. */
  readonly bridge: RelatedBridge | null
  readonly conditions: readonly Condition[]
}

/** A join table, by the names of its columns. */
export interface RelatedBridge {
  readonly through: string
  readonly source: string
  readonly target: string
}
