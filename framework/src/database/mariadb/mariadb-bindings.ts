import { dateParameter, invalidParameter, textParameter } from '../parameter.ts'

const minBigint = -(2n ** 63n)
const maxBigint = 2n ** 64n - 1n
const minInt = -(2 ** 31)
const maxInt = 2 ** 31 - 2

/** A value that the driver can bind. */
export type MariadbValue = string | number | bigint | boolean | Buffer | null

/**
 * Converts the parameters of a query for the driver: whole numbers to integers, dates to UTC text,
 * bytes to buffers.
 * @throws InvalidArgumentException for a value that MariaDB cannot store exactly; the message does
 * not show the value.
 */
export function mariadbBindings(parameters: readonly unknown[]): MariadbValue[] {
  return parameters.map(binding)
}

function binding(value: unknown, index: number): MariadbValue {
  switch (typeof value) {
    case 'string':
      return textParameter(value, index)
    case 'boolean':
      return value
    case 'number':
      return boundNumber(value, index)
    case 'bigint':
      if (value >= minBigint && value <= maxBigint) return value
      throw invalidParameter(index, 'a bigint of more than 64 bits')
    case 'object':
      if (value === null) return value
      if (value instanceof Uint8Array) return bytes(value)
      if (value instanceof Date) return dateParameter(value, index)
      throw invalidParameter(index, Array.isArray(value) ? 'a list' : 'an object')
    case 'undefined':
      throw invalidParameter(index, 'undefined; use null for NULL')
    case 'function':
    case 'symbol':
      break
  }
  throw invalidParameter(index, `a ${typeof value}`)
}

// The driver binds every number beyond 32 bits as a double, which is no longer an exact integer.
function boundNumber(value: number, index: number): MariadbValue {
  if (!Number.isFinite(value)) throw invalidParameter(index, `${value}, which MariaDB cannot store`)
  if (!Number.isSafeInteger(value)) return value
  return value < minInt || value > maxInt ? BigInt(value) : value
}

// The driver would bind any other Uint8Array as JSON.
function bytes(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}
