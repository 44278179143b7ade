import { Matches, Operators } from '../../../../src/database/sql/plan/operators.ts'
import type { Choices } from './choices.ts'
import { kinds } from './kinds.ts'
import type { ColumnSpec, RelationSpec, TableSpec } from './world.ts'

/** A condition, as a plain description that each side reads in its own way. */
export type Condition =
  | {
      readonly type: 'comparison'
      readonly column: ColumnSpec
      readonly operator: Operators
      readonly value: unknown
    }
  | {
      readonly type: 'match'
      readonly column: ColumnSpec
      readonly match: Matches
      readonly text: string
    }
  | { readonly type: 'either'; readonly branches: readonly (readonly Condition[])[] }
  | {
      readonly type: 'has'
      readonly relation: RelationSpec
      readonly isNone: boolean
      readonly conditions: readonly Condition[]
    }

const compared = [
  Operators.Equal,
  Operators.Unequal,
  Operators.Greater,
  Operators.GreaterOrEqual,
  Operators.Less,
  Operators.LessOrEqual,
  Operators.Between,
  Operators.In,
]
const nullness = [Operators.IsNotNull, Operators.IsNull]
const truth = [Operators.IsTrue, Operators.IsFalse]
const patterns = [
  '_',
  '%',
  '_',
  '',
  'a',
  'A',
  'b',
  '%',
  '_',
  'a%',
  '!',
  '\\',
  "'",
  'e',
  'é',
  ' ',
  '😀',
  'B%',
]
const likes = ['%', 'a%', '%B', '_', '__', 'A_', '\\%', 'a\\\\b', '%\\_', '', '%a%', '\\\\', 'é']

/** Up to `max` conditions on a table. */
export function makeConditions(
  choices: Choices,
  table: TableSpec,
  max = 3,
  depth = 2,
): readonly Condition[] {
  return choices.list(0, max, () => makeCondition(choices, table, depth))
}

function makeCondition(choices: Choices, table: TableSpec, depth: number): Condition {
  if (depth > 0 && choices.chance(20)) {
    const branches = choices.list(0, 3, () => makeConditions(choices, table, 2, depth - 1))
    return { type: 'either', branches }
  }
  if (depth > 0 && table.relations.length > 0 && choices.chance(20)) {
    const relation = choices.pick(table.relations)
    const conditions = makeConditions(choices, relation.target, 2, depth - 1)
    return { type: 'has', relation, isNone: choices.chance(40), conditions }
  }
  const column = choices.pick(table.columns)
  const { use } = kinds[column.kind]
  if (use === 'matched' && choices.chance(60)) {
    const match = choices.pick(Object.values(Matches))
    const text = choices.pick(match === Matches.Like ? likes : patterns)
    return { type: 'match', column, match, text }
  }
  return makeComparison(choices, column)
}

function makeComparison(choices: Choices, column: ColumnSpec): Condition {
  const { use, pool } = kinds[column.kind]
  const operators =
    use === 'null-only' ? nullness : [...compared, ...nullness, ...(use === 'boolean' ? truth : [])]
  const operator = choices.pick(operators)
  const one = (): unknown => choices.pick(pool)
  return { type: 'comparison', column, operator, value: operandOf(choices, operator, one) }
}

function operandOf(choices: Choices, operator: Operators, one: () => unknown): unknown {
  if (operator === Operators.Between) return [one(), one()]
  if (operator === Operators.In) return choices.list(0, 4, one)
  return [...nullness, ...truth].some((lone) => lone === operator) ? undefined : one()
}
