import { InvalidArgumentException } from '../../base/errors.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { Condition } from '../../database/sql/plan/condition.ts'
import { Operators } from '../../database/sql/plan/operators.ts'
import { bindable } from '../../database/sql/values/bindable.ts'
import { roomFor } from '../../database/sql/values/room-for.ts'
import type { RoomBound } from '../../database/sql/values/room-for.ts'
import type { Change } from '../../database/sql/write/compile-update.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'
import type { NumbersOf } from '../aggregates/aggregate.ts'
import type { KeyNameOf } from '../entity/row.ts'
import { changedAssignments } from './assignments.ts'

/**
 * Amounts to add to numeric columns: a number, a bigint, or a text for a decimal. Negative ones
 * subtract.
 */
export type IncrementsOf<E extends AnyEntity> = Partial<Omit<NumbersOf<E>, KeyNameOf<E>>>

/** The changes of an increment. */
export interface Increments {
  readonly changes: readonly Change[]
  /** That every sum is in the range of its column; NULL stays NULL. */
  readonly guards: readonly Condition[]
  /** That at least one sum is not. */
  readonly overflow: Condition
}

/**
 * Checks the amounts of an increment.
 * @throws InvalidArgumentException without amounts, for an amount that its column does not accept,
 *   and for a column that is the key or not a number.
 */
export function incrementsOf(entity: AnyEntity, amounts: unknown, dialect: Dialect): Increments {
  const assignments = changedAssignments(entity, amounts)
  if (assignments.length === 0) {
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `${entity.table}: an increment needs at least one amount, as in { views: 1 }`,
    )
  }
  const bounds = assignments.map(({ column, value }) => {
    // Null would make every sum NULL.
    bindable({ ...column, isNullable: false }, value, dialect)
    return { column, room: roomOf(entity, column, value) }
  })
  return {
    changes: assignments.map(({ column, value }) => ({ column, value, adds: true })),
    guards: bounds.map(({ column, room }) => guard(column, room)),
    overflow: {
      type: 'either',
      branches: bounds.map(({ column, room: { side, value } }) => [
        compared(column, side === 'at-most' ? Operators.Greater : Operators.Less, value),
      ]),
    },
  }
}

function roomOf(entity: AnyEntity, column: EntityColumn, amount: unknown): RoomBound {
  const room = roomFor(column, amount)
  if (room === undefined || column.isKey) throw notCountable(entity, column)
  return room
}

function guard(column: EntityColumn, { side, value }: RoomBound): Condition {
  const operator = side === 'at-most' ? Operators.LessOrEqual : Operators.GreaterOrEqual
  const isInRange = compared(column, operator, value)
  if (!column.isNullable) return isInRange
  return { type: 'either', branches: [[compared(column, Operators.IsNull, null)], [isInRange]] }
}

function compared(column: EntityColumn, operator: Operators, value: unknown): Condition {
  return { type: 'comparison', column, operator, value }
}

function notCountable({ table }: AnyEntity, column: EntityColumn): InvalidArgumentException {
  const what = column.isKey ? 'the key' : column.kind
  return new InvalidArgumentException(
    'E_COLUMN',
    `${table}.${column.property} is ${what}; increment integers, bigints, decimals and floats`,
  )
}
