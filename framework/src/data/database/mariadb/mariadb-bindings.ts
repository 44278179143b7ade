import { InvalidArgumentException } from '../../../base/errors.ts'

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
      throw refused(index, 'a bigint of more than 64 bits')
    case 'object':
      if (value === null) return value
      if (value instanceof Uint8Array) return bytes(value)
      if (value instanceof Date) return dateText(value, index)
      throw refused(index, Array.isArray(value) ? 'a list' : 'an object')
    case 'undefined':
      throw refused(index, 'undefined; write null if NULL is meant')
    case 'function':
    case 'symbol':
      break
  }
  throw refused(index, `a ${typeof value}`)
}

// The driver binds every number past 32 bits as a double, which no longer is an exact integer.
function boundNumber(value: number, index: number): MariadbValue {
  if (!Number.isFinite(value)) throw refused(index, `${value}, which MariaDB cannot hold`)
  if (!Number.isSafeInteger(value)) return value
  return value < LEAST_INT || value > GREATEST_INT ? BigInt(value) : value
}

// What is no Buffer the driver would bind as JSON.
function bytes(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}

function dateText(date: Date, index: number): string {
  if (Number.isNaN(date.getTime())) throw refused(index, 'an invalid Date')
  const text = date.toISOString()
  if (text.length !== 24) throw refused(index, 'a Date outside the years 0 to 9999')
  return text.replace('T', ' ').replace('Z', '000')
}

function refused(index: number, what: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `parameter ${index + 1} is ${what}; a parameter is text, a number, a bigint, a boolean, null, a Date or bytes`,
  )
}
