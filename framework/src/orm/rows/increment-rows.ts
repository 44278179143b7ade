import { FrameworkError, invalidArgument, InvalidArgumentException } from '../../base/errors.ts'
import { unlessNested } from '../../database/transaction-options.ts'
import { SerialTransaction } from '../../database/serial-transaction.ts'
import type { Surface } from '../../database/surface.ts'
import type { Condition } from '../../database/sql/plan/condition.ts'
import { compileSelect } from '../../database/sql/write/compile-select.ts'
import { compileUpdate } from '../../database/sql/write/compile-update.ts'
import type { Change } from '../../database/sql/write/compile-update.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import { Operators } from '../../database/sql/plan/operators.ts'
import { bindable } from '../../database/sql/values/bindable.ts'
import type { ColumnKind, ColumnReference } from '../../database/sql/plan/column-reference.ts'
import { decimalOf, unitsOf } from '../../database/sql/values/decimal.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'
import { plainPlan } from '../reading.ts'
import type { NumbersOf } from '../aggregate.ts'
import type { KeyNameOf } from '../entity/row.ts'
import { changeRow } from './update-rows.ts'
import type { PlainRow } from './hydrate-rows.ts'
import type { Soon } from './read-rows.ts'
import { isRow } from './key-conditions.ts'
import { renewed } from './renewals.ts'
import { changedAssignments } from './assignments.ts'

/**
 * Amounts to add to numeric columns: a number, a bigint, or a text for a decimal. Negative ones
 * subtract.
 */
export type IncrementsOf<E extends AnyEntity> = Partial<Omit<NumbersOf<E>, KeyNameOf<E>>>

/**
 * Adds amounts to columns of the row with a key and returns it, or null if there is none.
 * @throws FrameworkError E_INTEGER_RANGE when a sum does not fit its column; the row stays as it is.
 */
export function incrementRow(
  surface: Surface,
  entity: AnyEntity,
  key: unknown,
  amounts: unknown,
): Soon<PlainRow | null> {
  const isKey = isRow(entity, key, surface.dialect)
  const increments = incrementsOf(entity, amounts, surface.dialect)
  return changeRow(surface, entity, {
    before: isKey,
    after: isKey,
    changes: renewed('increment', entity, increments),
    guards: increments.map(guard),
    refuse: () => outOfRange(entity, increments),
  })
}

/**
 * Adds amounts to columns of all rows that match conditions and returns their number.
 * @throws FrameworkError E_INTEGER_RANGE when a sum does not fit its column; all rows stay as they
 *   are.
 */
export async function incrementRows(
  surface: Surface,
  entity: AnyEntity,
  conditions: readonly Condition[],
  amounts: unknown,
): Promise<number> {
  const changes = incrementsOf(entity, amounts, surface.dialect)
  const overflow: Condition = { type: 'either', branches: changes.map(isBeyond) }
  const beyond = plainPlan(entity, [...conditions, overflow])
  const probe = { ...beyond, columns: entity.keys, limit: 1 }
  const all = renewed('incrementAll', entity, changes)
  const plan = { table: entity.table, changes: all, conditions, returning: [] }
  const update = compileUpdate(plan, surface.dialect)
  const work = async (transaction: Surface): Promise<number> => {
    const full = await transaction.run(compileSelect(probe, surface.dialect))
    if (full.rows.length > 0) throw outOfRange(entity, changes)
    return (await transaction.run(update)).affected
  }
  if (surface instanceof SerialTransaction) return work(surface)
  // With a stricter level the probe could make the update fail because of a concurrent one.
  return surface.transaction(work, unlessNested(surface, { isolation: 'read-committed' }))
}

function outOfRange({ table }: AnyEntity, changes: readonly Change[]): FrameworkError {
  const names = changes.map(({ column }) => column.name).join(', ')
  return new FrameworkError(
    'E_INTEGER_RANGE',
    `${table}: adding to ${names} would leave the range of the column, so nothing was changed; use a wider column, such as bigint()`,
  )
}

/** An addition to a column, and the values of the column whose sum is in its range. */
interface Increment extends Change {
  readonly column: EntityColumn
  readonly room: RoomBound
}

/**
 * Checks the amounts of an increment.
 * @throws InvalidArgumentException without amounts, for an amount that its column does not accept,
 *   and for a column that is the key or not a number.
 */
function incrementsOf(entity: AnyEntity, amounts: unknown, dialect: Dialect): readonly Increment[] {
  const assignments = changedAssignments(entity, amounts)
  if (assignments.length === 0) {
    throw invalidArgument(
      `${entity.table}: an increment needs at least one amount, as in { views: 1 }`,
    )
  }
  return assignments.map(({ column, value }) => {
    // Null would make every sum NULL.
    bindable(value === null ? { ...column, isNullable: false } : column, value, dialect)
    const room = roomFor(column, value)
    if (room === undefined || column.isKey) throw notCountable(entity, column)
    return { column, value, adds: true, room }
  })
}

/** The largest value that a positive amount can be added to, or the smallest for a negative one. */
interface RoomBound {
  readonly side: 'at-most' | 'at-least'
  readonly value: unknown
}

/**
 * The values of a numeric column to which an amount can be added without leaving its range, as one
 * bound; undefined for a column that is not numeric. The amount must be one that the column accepts.
 */
export function roomFor(
  { kind, precision, scale }: ColumnReference,
  amount: unknown,
): RoomBound | undefined {
  if (typeof amount === 'number') {
    const [min, max] = ranges[kind] ?? []
    if (min === undefined || max === undefined) return undefined
    return amount < 0 ? atLeast(min - amount) : atMost(max - amount)
  }
  if (typeof amount === 'bigint' && kind === 'bigint') {
    return amount < 0n ? atLeast(-(2n ** 63n) - amount) : atMost(2n ** 63n - 1n - amount)
  }
  if (typeof amount !== 'string' || kind !== 'decimal') return undefined
  const units = unitsOf(amount, scale)
  const max = 10n ** BigInt(precision) - 1n
  return units < 0n
    ? atLeast(decimalOf(-max - units, scale))
    : atMost(decimalOf(max - units, scale))
}

const ranges: Readonly<Partial<Record<ColumnKind, readonly [min: number, max: number]>>> = {
  integer: [-(2 ** 31), 2 ** 31 - 1],
  'safe-integer': [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  float: [-Number.MAX_VALUE, Number.MAX_VALUE],
}

function atLeast(value: unknown): RoomBound {
  return { side: 'at-least', value }
}

function atMost(value: unknown): RoomBound {
  return { side: 'at-most', value }
}

function isBeyond({ column, room: { side, value } }: Increment): readonly Condition[] {
  return [compared(column, side === 'at-most' ? Operators.Greater : Operators.Less, value)]
}

// NULL stays NULL.
function guard({ column, room: { side, value } }: Increment): Condition {
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
