import { InvalidArgumentException } from '../../base/errors.ts'
import type { Dialect } from '../sql/dialects/dialect.ts'

/**
 * A value as part of a statement, for the defaults of columns: those are the one place where no
 * database takes a parameter.
 * @throws InvalidArgumentException for a value that has no such form.
 */
export function literal(value: unknown, { schema: { literals } }: Dialect): string {
  if (value === null) return 'NULL'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'boolean') return literals.boolean(value)
  if (typeof value === 'string' && value.includes('\0')) {
    throw refused('a default text cannot hold NUL')
  }
  if (typeof value === 'string') return literals.text(value)
  if (value instanceof Uint8Array) return literals.bytes(Buffer.from(value).toString('hex'))
  throw refused(
    `a default is null, a number, a text, a boolean, a Date or bytes, got ${typeof value}`,
  )
}

function refused(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', reason)
}
