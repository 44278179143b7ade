import type { SQLInputValue } from 'node:sqlite'

import { InvalidArgumentException } from '../../base/errors.ts'
import { dateParameter, invalidParameter, textParameter } from '../parameter.ts'

const maxValues = 32_766
const minBigint = -(2n ** 63n)
const maxBigint = 2n ** 63n - 1n

/**
 * Converts the parameters of a query for SQLite: whole numbers to integers, booleans to 1 and 0,
 * dates to UTC text.
 * @throws InvalidArgumentException for a value that SQLite cannot store exactly; the message does
 * not show the value.
 */
export function sqliteBindings(parameters: readonly unknown[]): SQLInputValue[] {
  if (parameters.length <= maxValues) return parameters.map(binding)
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `a statement has ${parameters.length} values, SQLite allows ${maxValues}; split it`,
  )
}

function binding(value: unknown, index: number): SQLInputValue {
  if (typeof value === 'string') return textParameter(value, index)
  if (value === null || value instanceof Uint8Array) return value
  if (typeof value === 'number') return boundNumber(value, index)
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (value instanceof Date) return dateParameter(value, index)
  if (typeof value !== 'bigint') throw invalidParameter(index, described(value))
  if (value >= minBigint && value <= maxBigint) return value
  throw invalidParameter(index, 'a bigint of more than 64 bits')
}

function described(value: unknown): string {
  if (value === undefined) return 'undefined; use null for NULL'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

// The driver binds a number as a double, which a text column would store as '5.0'. Only a double
// can represent -0.
function boundNumber(value: number, index: number): SQLInputValue {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return BigInt(value)
  if (Number.isNaN(value)) throw invalidParameter(index, 'NaN, which SQLite would store as NULL')
  return value
}
