import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import { decimalOf, unitsOf } from './decimal.ts'

/**
 * The values of a numeric column to which an amount can be added without leaving its range, as one
 * bound; undefined for a column that is not numeric. The amount must be one that the column accepts.
 */
export function roomFor(column: ColumnReference, amount: unknown): RoomBound | undefined {
  return rooms[column.kind]?.(amount, column)
}

/** The largest value that a positive amount can be added to, or the smallest for a negative one. */
export interface RoomBound {
  readonly side: 'at-most' | 'at-least'
  readonly value: unknown
}

type Room = (amount: unknown, column: ColumnReference) => RoomBound | undefined

const rooms: Readonly<Partial<Record<ColumnKind, Room>>> = {
  integer: (amount) => numberRoom(amount, 2 ** 31 - 1, -(2 ** 31)),
  'safe-integer': (amount) => numberRoom(amount, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
  bigint: (amount) => bigintRoom(amount),
  decimal: decimalRoom,
  float: (amount) => numberRoom(amount, Number.MAX_VALUE, -Number.MAX_VALUE),
}

function numberRoom(amount: unknown, max: number, min: number): RoomBound | undefined {
  if (typeof amount !== 'number') return undefined
  return amount < 0
    ? { side: 'at-least', value: min - amount }
    : { side: 'at-most', value: max - amount }
}

function bigintRoom(amount: unknown): RoomBound | undefined {
  if (typeof amount !== 'bigint') return undefined
  return amount < 0n
    ? { side: 'at-least', value: -(2n ** 63n) - amount }
    : { side: 'at-most', value: 2n ** 63n - 1n - amount }
}

function decimalRoom(
  amount: unknown,
  { precision, scale }: ColumnReference,
): RoomBound | undefined {
  if (typeof amount !== 'string') return undefined
  const units = unitsOf(amount, scale)
  const max = 10n ** BigInt(precision) - 1n
  return units < 0n
    ? { side: 'at-least', value: decimalOf(-max - units, scale) }
    : { side: 'at-most', value: decimalOf(max - units, scale) }
}
