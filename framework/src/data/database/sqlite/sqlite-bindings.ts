import type { SQLInputValue } from 'node:sqlite'

import { dateParameter, refusedParameter } from '../parameter.ts'

const LEAST = -(2n ** 63n)
const GREATEST = 2n ** 63n - 1n

/**
 * The parameters of a query as SQLite takes them: whole numbers as integers, booleans as 1 and 0,
 * dates as text in UTC.
 * @throws InvalidArgumentException for what SQLite could not hold as it is; the text shows no value.
 */
export function sqliteBindings(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map(binding)
}

function binding(value: unknown, index: number): SQLInputValue {
  if (typeof value === 'string' || value === null || value instanceof Uint8Array) return value
  if (typeof value === 'number') return boundNumber(value, index)
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (value instanceof Date) return dateParameter(value, index)
  if (typeof value !== 'bigint') throw refusedParameter(index, described(value))
  if (value >= LEAST && value <= GREATEST) return value
  throw refusedParameter(index, 'a bigint of more than 64 bits')
}

function described(value: unknown): string {
  if (value === undefined) return 'undefined; write null if NULL is meant'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

// The driver binds every number as a double, which a text column would keep as '5.0'. A double keeps
// the sign of -0.
function boundNumber(value: number, index: number): SQLInputValue {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return BigInt(value)
  if (Number.isNaN(value)) throw refusedParameter(index, 'NaN, which SQLite would keep as NULL')
  return value
}
