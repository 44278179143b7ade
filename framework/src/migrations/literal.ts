import { InvalidArgumentException } from '../base/errors.ts'
import type { Dialect } from '../database/sql/dialects/dialect.ts'

/**
 * A value as an SQL literal, for the defaults of columns, where no database accepts parameters.
 * @throws InvalidArgumentException for a value that has no literal.
 */
export function literal(value: unknown, { schema: { literals } }: Dialect): string {
  if (value === null) return 'NULL'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'boolean') return literals.boolean(value)
  if (typeof value === 'string' && value.includes('\0')) {
    throw invalidDefault('a default text cannot contain NUL')
  }
  if (typeof value === 'string') return literals.text(value)
  if (value instanceof Uint8Array) return literals.bytes(Buffer.from(value).toString('hex'))
  throw invalidDefault(
    `a default must be null, a number, a text, a boolean, a Date or bytes, got ${typeof value}`,
  )
}

function invalidDefault(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', reason)
}
