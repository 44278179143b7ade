import { createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { invalidArgument, InvalidArgumentException } from '../../base/errors.ts'
import { compileCount } from '../../database/sql/write/compile-select.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { Ordering, SelectPlan } from '../../database/sql/plan/select-plan.ts'

/** A value in a cursor: what JSON can represent exactly. */
export type CursorValue = string | number | boolean

/**
 * Encodes the values of a position as unpadded base64url of their JSON list. A bigint becomes a
 * string of its digits. NULL is a value only of orders that allow it.
 * @throws InvalidArgumentException without values, or for one that is not a text, number or
 * boolean.
 */
export function encodeCursor(values: readonly unknown[], takesNulls: boolean = false): string {
  if (!Array.isArray(values) || values.length === 0) {
    throw new InvalidArgumentException('E_CURSOR', 'a cursor needs a list of at least one value')
  }
  const encoded: (CursorValue | null)[] = []
  for (const value of values) encoded.push(takesNulls && value === null ? null : encodable(value))
  return Buffer.from(JSON.stringify(encoded)).toString('base64url')
}

/**
 * Decodes a token.
 * @throws InvalidArgumentException unless it is, byte for byte, what `encodeCursor` makes of this
 * many values.
 */
export function decodeCursor(token: string, arity: number): readonly CursorValue[]
export function decodeCursor(
  token: string,
  arity: number,
  takesNulls: boolean,
): readonly (CursorValue | null)[]
export function decodeCursor(
  token: string,
  arity: number,
  takesNulls: boolean = false,
): readonly (CursorValue | null)[] {
  const values = parse(token)
  if (!areValues(values, takesNulls))
    throw malformed('it is not a list of texts, numbers and booleans')
  if (values.length !== arity) {
    throw malformed(`it contains ${values.length} values, the order needs ${arity}`)
  }
  // Stray characters, padding, broken UTF-8, spaces in the JSON, excess digits: all of them would
  // still decode to some position, but only a forged token contains them.
  if (encodeCursor(values, takesNulls) !== token) throw malformed('it was not issued in this form')
  return values
}

/** The error for an invalid cursor; the reason never repeats its contents. */
export function malformed(reason: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_CURSOR',
    `the cursor cannot be used: ${reason}; start again without a cursor`,
  )
}

function encodable(value: unknown): CursorValue {
  if (isValue(value)) return value
  if (typeof value === 'bigint') return value.toString()
  throw new InvalidArgumentException(
    'E_CURSOR',
    `a cursor can contain texts, finite numbers and booleans, got ${typeof value === 'number' || value === null ? String(value) : typeof value}`,
  )
}

function parse(token: string): unknown {
  if (token === '') throw malformed('it is empty')
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString())
  } catch {
    throw malformed('it is not JSON')
  }
}

function areValues(
  values: unknown,
  takesNulls: boolean,
): values is readonly (CursorValue | null)[] {
  const fits = (value: unknown): boolean => isValue(value) || (takesNulls && value === null)
  return Array.isArray(values) && values.length > 0 && values.every(fits)
}

function isValue(value: unknown): value is CursorValue {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'string' || typeof value === 'boolean'
}

// Separates these signatures from any other use of the same key.
const purpose = 'framework/orm cursor 1'

/** A cursor with a signature over its value, its order and its filters. */
export function signCursor(token: string, key: KeyObject, context: string): string {
  return `${token}.${signature(token, key, context).toString('base64url')}`
}

/**
 * Verifies a signed cursor and returns the plain one.
 * @throws InvalidArgumentException when it was made with other keys, another order or filters.
 */
export function verifyCursor(signed: string, keys: readonly KeyObject[], context: string): string {
  const dot = signed.indexOf('.')
  if (dot === -1) throw malformed('it is not signed')
  const token = signed.slice(0, dot)
  const given = Buffer.from(signed)
  const isSigned = keys.some((key) => {
    const expected = Buffer.from(signCursor(token, key, context))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (isSigned) return token
  throw malformed('its signature does not match this order and these filters')
}

function signature(token: string, key: KeyObject, context: string): Buffer {
  // The purpose and the token contain no NUL, so different messages cannot collide.
  return createHmac('sha256', key).update(`${purpose}\0${token}\0${context}`).digest()
}

/**
 * The text that a signed cursor is bound to: the order, and the filters with their values. It uses
 * the COUNT of the plan, which contains exactly the filters, so no kind of filter can be forgotten.
 */
export function cursorContext(
  plan: SelectPlan,
  orderings: readonly Ordering[],
  dialect: Dialect,
): string {
  const { sql, parameters } = compileCount(plan, dialect)
  const orders = orderings.map(({ column, order, nulls }) =>
    nulls === null ? [column.name, order] : [column.name, order, nulls],
  )
  return JSON.stringify([sql, parameters.map(tagged), orders])
}

// Includes the type, because 1, '1' and 1n are different filters.
function tagged(value: unknown): readonly [type: string, text: string | null] {
  if (value === null) return ['null', null]
  if (value instanceof Date) return ['date', value.toISOString()]
  if (value instanceof Uint8Array) return ['bytes', Buffer.from(value).toString('base64')]
  if (isScalar(value)) return [typeof value, String(value)]
  throw invalidArgument(`a filter has a value of type ${typeof value}, which no database supports`)
}

function isScalar(value: unknown): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
}
