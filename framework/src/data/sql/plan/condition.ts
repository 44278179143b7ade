import type { ColumnReference } from './column-reference.ts'
import type { Matches, Operators } from './operators.ts'
import type { Statement } from './statement.ts'

/** A condition on the rows to select. */
export type Condition = Comparison | Matching | Either | Handwritten

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
