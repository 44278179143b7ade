import { InvalidArgumentException } from '../../../base/errors.ts'
import type { Query } from '../../sql/query.ts'

/** A statement whose values are in the form the wire has: text, bytes or NULL. */
export interface BoundStatement {
  readonly sql: string
  readonly values: readonly (string | Buffer | null)[]
  readonly raw: boolean
}

const mostValues = 65_535

/**
 * The statement as PostgreSQL takes it: every value as text, whose type the server derives from the
 * place it stands in, and bytes as bytes.
 * @throws InvalidArgumentException for what cannot be sent; the text shows no value.
 */
export function bindStatement({ sql, parameters, raw = false }: Query): BoundStatement {
  // The protocol ends the text at a NUL, so that the rest would be read as something else.
  if (sql.includes('\0')) {
    throw new InvalidArgumentException('E_INVALID_ARGUMENT', 'a statement holds a NUL character')
  }
  if (parameters.length > mostValues) {
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `a statement has ${parameters.length} values, PostgreSQL takes ${mostValues}; send several`,
    )
  }
  return { sql, values: parameters.map(binding), raw }
}

function binding(value: unknown, index: number): string | Buffer | null {
  if (typeof value === 'string' || value === null) return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return String(value)
  }
  if (value instanceof Date) return dateText(value, index)
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
  if (value === undefined) throw refused(index, 'undefined; write null if NULL is meant')
  throw refused(index, Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`)
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
