import type { Dialects } from '../../../../src/database/sql/dialects/dialect.ts'
import { Matches, Operators } from '../../../../src/database/sql/plan/operators.ts'
import type { Condition } from './conditions.ts'
import { asText, kinds } from './kinds.ts'
import type { OrderSpec } from './reads.ts'
import { columnOf, visibleRows } from './world.ts'
import type { RelationSpec, Row, TableSpec } from './world.ts'

/** Whether a row in memory satisfies all conditions. */
export function holdsAll(conditions: readonly Condition[], row: Row): boolean {
  return conditions.every((condition) => holds(condition, row))
}

function holds(condition: Condition, row: Row): boolean {
  if (condition.type === 'either') {
    return condition.branches.some((branch) => holdsAll(branch, row))
  }
  if (condition.type === 'has') {
    const found = relatedRows(condition.relation, row)
    return found.some((one) => holdsAll(condition.conditions, one)) !== condition.isNone
  }
  const value = row[condition.column.property]
  if (condition.type === 'match') {
    return value !== null && patternOf(condition.match, condition.text).test(asText(value))
  }
  const { operator, column, value: operand } = condition
  const { compare } = kinds[column.kind]
  if (operator === Operators.IsNull) return value === null
  return value !== null && comparisons[operator](value, operand, compare)
}

type Compare = (one: unknown, other: unknown) => number
type Comparison = (value: unknown, operand: unknown, compare: Compare) => boolean

/** What the operators say about values that are not NULL. */
export const comparisons: Readonly<Record<Operators, Comparison>> = {
  [Operators.Equal]: (value, operand, compare) => compare(value, operand) === 0,
  [Operators.Unequal]: (value, operand, compare) => compare(value, operand) !== 0,
  [Operators.Greater]: (value, operand, compare) => compare(value, operand) > 0,
  [Operators.GreaterOrEqual]: (value, operand, compare) => compare(value, operand) >= 0,
  [Operators.Less]: (value, operand, compare) => compare(value, operand) < 0,
  [Operators.LessOrEqual]: (value, operand, compare) => compare(value, operand) <= 0,
  [Operators.Between]: (value, operand, compare) => {
    const [low, high] = listIn(operand)
    return compare(value, low) >= 0 && compare(value, high) <= 0
  },
  [Operators.In]: (value, operand, compare) =>
    listIn(operand).some((one) => compare(value, one) === 0),
  [Operators.IsNull]: () => false,
  [Operators.IsNotNull]: () => true,
  [Operators.IsTrue]: (value) => value === true,
  [Operators.IsFalse]: (value) => value === false,
}

function listIn(operand: unknown): readonly unknown[] {
  return Array.isArray(operand) ? operand : []
}

/** What a match finds: whole texts, without regard to the case of letters. */
function patternOf(match: Matches, text: string): RegExp {
  const inner = match === Matches.Like ? likeSource(text) : escaped(text)
  const before = match === Matches.Contains || match === Matches.EndsWith ? '.*' : ''
  const after = match === Matches.Contains || match === Matches.StartsWith ? '.*' : ''
  return new RegExp(`^${before}${inner}${after}$`, 'isu')
}

function likeSource(pattern: string): string {
  return pattern.replaceAll(/\\(.)|([%_])|[^\\%_]+/gsu, (part, quoted?: string, wild?: string) => {
    if (quoted !== undefined) return escaped(quoted)
    if (wild !== undefined) return wild === '%' ? '.*' : '.'
    return escaped(part)
  })
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** The rows in their order. Without a position of NULL it is the one of the database. */
export function sorted(
  rows: readonly Row[],
  orders: readonly OrderSpec[],
  dialect: Dialects,
): readonly Row[] {
  return rows.toSorted((one, other) => {
    for (const { column, order, nulls } of orders) {
      const { property, kind } = column
      const [left, right] = [one[property], other[property]]
      const sign = order === 'asc' ? 1 : -1
      // PostgreSQL takes NULL for larger than any value, the others for smaller.
      const nullSide =
        nulls === null ? sign * (dialect === 'postgres' ? 1 : -1) : nulls === 'first' ? -1 : 1
      const difference =
        left === null || right === null
          ? (Number(left === null) - Number(right === null)) * nullSide
          : kinds[kind].compare(left, right) * sign
      if (difference !== 0) return difference
    }
    return 0
  })
}

/** The related rows of a row, by key. */
export function relatedRows(relation: RelationSpec, row: Row): readonly Row[] {
  const { kind, target, property, bridge } = relation
  const isRelated = (other: Row): boolean => {
    if (bridge !== null) {
      return bridge.pairs.some(([source, end]) => source === row['id'] && end === other['id'])
    }
    return kind === 'belongs-to' ? other['id'] === row[property] : other[property] === row['id']
  }
  return byKey(target, visibleRows(target).filter(isRelated))
}

/** Rows ordered by their key. */
export function byKey(table: TableSpec, rows: readonly Row[]): readonly Row[] {
  const column = columnOf(table, 'id')
  return sorted(rows, [{ column, order: 'asc', nulls: null }], 'sqlite')
}
