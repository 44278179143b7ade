import { InvalidArgumentException } from '../../base/errors.ts'
import type { Query } from '../sql/plan/query.ts'
import { dateParameter, invalidParameter, textParameter } from '../parameter.ts'

/** A statement with its values in wire format: text, bytes or NULL. */
export interface BoundStatement {
  readonly sql: string
  readonly values: readonly (string | Buffer | null)[]
  readonly raw: boolean
  /** Whether the names of the columns are needed. */
  readonly details: boolean
}

const maxValues = 65_535

/**
 * Binds the parameters of a query for PostgreSQL: bytes as bytes, everything else as text, whose
 * type the server infers from the context.
 * @throws InvalidArgumentException for a value that cannot be sent; the message does not show it.
 */
export function bindStatement({
  sql,
  parameters,
  raw = false,
  details = false,
}: Query): BoundStatement {
  // The protocol ends a text at a NUL and would misread the rest.
  if (sql.includes('\0')) {
    throw new InvalidArgumentException('E_INVALID_ARGUMENT', 'a statement contains a NUL character')
  }
  if (parameters.length > maxValues) {
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `a statement has ${parameters.length} values, PostgreSQL allows ${maxValues}; split it`,
    )
  }
  return { sql, values: parameters.map(binding), raw, details }
}

function binding(value: unknown, index: number): string | Buffer | null {
  if (value === null) return value
  if (typeof value === 'string') return textParameter(value, index)
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return String(value)
  }
  if (value instanceof Date) return dateParameter(value, index)
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
  if (value === undefined) throw invalidParameter(index, 'undefined; use null for NULL')
  throw invalidParameter(index, Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`)
}
