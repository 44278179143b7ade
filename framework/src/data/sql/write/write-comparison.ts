import { InvalidArgumentException } from '../../../base/errors.ts'
import { bindable } from '../values/bindable.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import type { Comparison } from '../plan/condition.ts'
import type { Draft } from './draft.ts'
import { Operators } from '../plan/operators.ts'

/** A condition that no row fulfils. */
export const nothing = '1 = 0'

/**
 * A column compared with a value. As everywhere in SQL, a NULL in the column fulfils nothing but
 * IsNull; Equal and Unequal take null for IsNull and IsNotNull.
 * @throws InvalidArgumentException for a value that its column cannot take.
 */
export function writeComparison({ column, operator, value }: Comparison, draft: Draft): string {
  const name = draft.name(column)
  switch (operator) {
    case Operators.Equal:
      return value === null ? `${name} IS NULL` : `${name} = ${operand(column, value, draft)}`
    case Operators.Unequal:
      return value === null ? `${name} IS NOT NULL` : `${name} <> ${operand(column, value, draft)}`
    case Operators.Greater:
      return `${name} > ${operand(column, value, draft)}`
    case Operators.GreaterOrEqual:
      return `${name} >= ${operand(column, value, draft)}`
    case Operators.Less:
      return `${name} < ${operand(column, value, draft)}`
    case Operators.LessOrEqual:
      return `${name} <= ${operand(column, value, draft)}`
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
      throw refused(column, `its operator is none of ${Object.values(Operators).join(', ')}`)
  }
}

function operand(column: ColumnReference, value: unknown, draft: Draft): string {
  if (column.kind === 'json') {
    throw refused(column, 'databases compare documents in ways of their own; write where(sql`…`)')
  }
  if (value === null) throw refused(column, 'null is compared by IsNull and IsNotNull only')
  return draft.comparand(column, bindable(column, value, draft.dialect))
}

function writeBetween(column: ColumnReference, range: unknown, draft: Draft): string {
  if (!Array.isArray(range) || range.length !== 2) {
    throw refused(column, 'Between takes a list of two values, the ends of the range')
  }
  const from = operand(column, range[0], draft)
  return `${draft.name(column)} BETWEEN ${from} AND ${operand(column, range[1], draft)}`
}

function writeIn(column: ColumnReference, values: unknown, draft: Draft): string {
  if (!Array.isArray(values)) throw refused(column, 'In takes a list of values')
  if (values.length === 0) return nothing
  let places = ''
  for (const value of values) {
    if (places !== '') places += ', '
    places += operand(column, value, draft)
  }
  return `${draft.name(column)} IN (${places})`
}

// A comparison and not IS TRUE, which not every database serves from an index.
function truth(column: ColumnReference, word: 'TRUE' | 'FALSE'): string {
  if (column.kind === 'boolean') return word
  throw refused(column, `IsTrue and IsFalse take a boolean column, this one is ${column.kind}`)
}

function refused({ name }: ColumnReference, reason: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_COLUMN_VALUE',
    `a filter on ${name} cannot be used: ${reason}`,
  )
}
