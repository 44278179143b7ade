import { InvalidArgumentException } from '../../../base/errors.ts'
import type { Query } from '../../sql/plan/query.ts'
import { dateParameter, refusedParameter } from '../parameter.ts'

/** A statement whose values are in the form the wire has: text, bytes or NULL. */
export interface BoundStatement {
  readonly sql: string
  readonly values: readonly (string | Buffer | null)[]
  readonly raw: boolean
}

const maxValues = 65_535

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
  if (parameters.length > maxValues) {
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `a statement has ${parameters.length} values, PostgreSQL takes ${maxValues}; send several`,
    )
  }
  return { sql, values: parameters.map(binding), raw }
}

function binding(value: unknown, index: number): string | Buffer | null {
  if (typeof value === 'string' || value === null) return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return String(value)
  }
  if (value instanceof Date) return dateParameter(value, index)
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
  if (value === undefined) throw refusedParameter(index, 'undefined; write null if NULL is meant')
  throw refusedParameter(index, Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`)
}
