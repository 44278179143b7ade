import { dateParameter, refusedParameter } from '../parameter.ts'

const LEAST = -(2n ** 63n)
const GREATEST = 2n ** 64n - 1n
const LEAST_INT = -(2 ** 31)
const GREATEST_INT = 2 ** 31 - 2

/** A value the driver binds as it is. */
export type MariadbValue = string | number | bigint | boolean | Buffer | null

/**
 * The parameters of a query as the driver takes them: whole numbers as integers, dates as text in
 * UTC, bytes as buffers.
 * @throws InvalidArgumentException for what MariaDB could not hold as it is; the text shows no value.
 */
export function mariadbBindings(parameters: readonly unknown[]): MariadbValue[] {
  return parameters.map(binding)
}

function binding(value: unknown, index: number): MariadbValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return boundNumber(value, index)
    case 'bigint':
      if (value >= LEAST && value <= GREATEST) return value
      throw refusedParameter(index, 'a bigint of more than 64 bits')
    case 'object':
      if (value === null) return value
      if (value instanceof Uint8Array) return bytes(value)
      if (value instanceof Date) return dateParameter(value, index)
      throw refusedParameter(index, Array.isArray(value) ? 'a list' : 'an object')
    case 'undefined':
      throw refusedParameter(index, 'undefined; write null if NULL is meant')
    case 'function':
    case 'symbol':
      break
  }
  throw refusedParameter(index, `a ${typeof value}`)
}

// The driver binds every number past 32 bits as a double, which no longer is an exact integer.
function boundNumber(value: number, index: number): MariadbValue {
  if (!Number.isFinite(value)) throw refusedParameter(index, `${value}, which MariaDB cannot hold`)
  if (!Number.isSafeInteger(value)) return value
  return value < LEAST_INT || value > GREATEST_INT ? BigInt(value) : value
}

// What is no Buffer the driver would bind as JSON.
function bytes(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}
