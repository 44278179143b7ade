import type { ColumnReference } from './column-reference.ts'
import type { Matches, Operators } from './operators.ts'
import type { Statement } from './statement.ts'

/** What a row must fulfil to be selected. */
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

/** At least one branch holds; a branch is a list of conditions that hold together. */
export interface Either {
  readonly type: 'either'
  readonly branches: readonly (readonly Condition[])[]
}

/** SQL of the user's own, in parentheses. */
export interface Handwritten {
  readonly type: 'handwritten'
  readonly statement: Statement
}
