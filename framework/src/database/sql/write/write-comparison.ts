import { InvalidArgumentException } from '../../../base/errors.ts'
import { comparable, isStorable } from '../values/bindable.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import type { Comparison } from '../plan/condition.ts'
import { Operators } from '../plan/operators.ts'
import { millisecondOf } from '../values/moment.ts'
import type { Millisecond } from '../values/moment.ts'
import type { Draft } from './draft.ts'

/** A condition that matches no row. */
export const never = '1 = 0'

/**
 * A comparison of a column with a value. As in SQL, NULL matches nothing but IsNull; for Equal and
 * Unequal, null means IsNull and IsNotNull.
 * @throws InvalidArgumentException for an invalid value.
 */
export function writeComparison(comparison: Comparison, draft: Draft): string {
  const { column, operator, value } = comparison
  const name = draft.name(column)
  if (column.kind === 'timestamp') {
    const written = writeMillisecond(comparison, draft)
    if (written !== null) return written
  }
  switch (operator) {
    case Operators.Equal:
      if (isUnstorable(column, value)) return never
      return value === null ? `${name} IS NULL` : compared(name, '=', comparison, draft)
    case Operators.Unequal:
      if (value === null || isUnstorable(column, value)) return `${name} IS NOT NULL`
      return compared(name, '<>', comparison, draft)
    case Operators.Greater:
      return compared(draft.ranked(column), '>', comparison, draft)
    case Operators.GreaterOrEqual:
      return compared(draft.ranked(column), '>=', comparison, draft)
    case Operators.Less:
      return compared(draft.ranked(column), '<', comparison, draft)
    case Operators.LessOrEqual:
      return compared(draft.ranked(column), '<=', comparison, draft)
    case Operators.Between:
      return writeBetween(column, value, draft)
    case Operators.In:
      return writeIn(column, value, draft)
    case Operators.IsNull:
      return `${name} IS NULL`
    case Operators.IsNotNull:
      return `${name} IS NOT NULL`
    case Operators.IsTrue:
      return `${name} = ${truth(column, 'TRUE')}`
    case Operators.IsFalse:
      return `${name} = ${truth(column, 'FALSE')}`
    default:
      throw invalidFilter(column, `its operator is none of ${Object.values(Operators).join(', ')}`)
  }
}

// The same string for the same comparison: see `Texts`.
function compared(name: string, sign: string, of: Comparison, draft: Draft): string {
  const place = operand(of.column, of.value, draft)
  const texts = draft.dialect.columns.texts(of.column).with(name).with(sign).with(place)
  return (texts.text ??= `${name} ${sign} ${place}`)
}

function operand(column: ColumnReference, value: unknown, draft: Draft): string {
  if (column.kind === 'json') {
    throw invalidFilter(column, 'databases compare JSON documents differently; use where(sql`…`)')
  }
  if (value === null)
    throw invalidFilter(column, 'null can be compared only by IsNull and IsNotNull')
  return draft.comparand(column, comparable(column, value, draft.dialect))
}

function writeBetween(column: ColumnReference, range: unknown, draft: Draft): string {
  if (!Array.isArray(range) || range.length !== 2) {
    throw invalidFilter(column, 'Between takes a list of two values, the ends of the range')
  }
  const from = operand(column, range[0], draft)
  return `${draft.ranked(column)} BETWEEN ${from} AND ${operand(column, range[1], draft)}`
}

function writeIn(column: ColumnReference, values: unknown, draft: Draft): string {
  if (!Array.isArray(values)) throw invalidFilter(column, 'In takes a list of values')
  const found = values.filter((value) => !isUnstorable(column, value))
  if (found.length === 0) return never
  const listed = found.length > draft.dialect.maxPlaces ? writeListed(column, found, draft) : null
  if (listed !== null) return listed
  let places = ''
  for (const value of found) {
    if (places !== '') places += ', '
    places += operand(column, value, draft)
  }
  return `${draft.name(column)} IN (${places})`
}

function writeListed(
  column: ColumnReference,
  values: readonly unknown[],
  draft: Draft,
): string | null {
  const { dialect } = draft
  const listed = dialect.listed(column)
  if (listed === null) return null
  const bound = values.map((value) => comparable(column, value, dialect))
  return listed.condition(draft.name(column), draft.bind(listed.text(bound)))
}

// No row can have such a text, so a filter finds nothing.
function isUnstorable({ kind }: ColumnReference, value: unknown): boolean {
  return kind === 'text' && typeof value === 'string' && !isStorable(value)
}

// Not IS TRUE, for which not every database uses an index.
function truth(column: ColumnReference, word: 'TRUE' | 'FALSE'): string {
  if (column.kind === 'boolean') return word
  throw invalidFilter(
    column,
    `IsTrue and IsFalse need a boolean column, this one is ${column.kind}`,
  )
}

function invalidFilter({ name }: ColumnReference, reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_COLUMN_VALUE', `a filter on ${name} is invalid: ${reason}`)
}

/**
 * Compares a timestamp column with a `Date`, which stands for its whole millisecond: databases store
 * microseconds, and the `Date` that was read from a row must find it again. Null for values and
 * operators that mean nothing special here.
 */
function writeMillisecond({ column, operator, value }: Comparison, draft: Draft): string | null {
  const name = draft.name(column)
  const bound = (text: string): string => draft.comparand(column, text)
  // Null is the end of all times.
  const from = (start: string | null): string =>
    start === null ? never : `${name} >= ${bound(start)}`
  const before = (end: string | null): string =>
    end === null ? `${name} IS NOT NULL` : `${name} < ${bound(end)}`
  const within = ({ start }: Millisecond, { end }: Millisecond): string =>
    `(${from(start)} AND ${before(end)})`
  if (operator === Operators.In || operator === Operators.Between) {
    const given: readonly unknown[] = Array.isArray(value) ? value : []
    const found = given.map(millisecond).filter((one) => one !== null)
    const [first, last] = found
    if (first === undefined || found.length < given.length) return null
    if (operator === Operators.In) return anyOf(found.map((one) => within(one, one)))
    return last === undefined || found.length > 2 ? null : within(first, last)
  }
  const found = millisecond(value)
  if (found === null) return null
  const { start, end } = found
  switch (operator) {
    case Operators.Equal:
      return within(found, found)
    case Operators.Unequal:
      return `(${before(start)} OR ${from(end)})`
    case Operators.Greater:
      return from(end)
    case Operators.GreaterOrEqual:
      return from(start)
    case Operators.Less:
      return before(start)
    case Operators.LessOrEqual:
      return before(end)
    case Operators.IsNull:
    case Operators.IsNotNull:
    case Operators.IsTrue:
    case Operators.IsFalse:
      break
  }
  return null
}

// In groups, because a database may limit how deep an expression is, and each OR is one deeper.
function anyOf(conditions: readonly string[]): string {
  if (conditions.length <= maxAlternatives) return `(${conditions.join(' OR ')})`
  const groups: string[] = []
  for (let at = 0; at < conditions.length; at += maxAlternatives) {
    groups.push(anyOf(conditions.slice(at, at + maxAlternatives)))
  }
  return anyOf(groups)
}

const maxAlternatives = 500

function millisecond(value: unknown): Millisecond | null {
  return value instanceof Date ? millisecondOf(value) : null
}
