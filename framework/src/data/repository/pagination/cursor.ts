import { InvalidArgumentException } from '../../../base/errors.ts'

/** One value of a cursor: what JSON can hold without losing a digit. */
export type CursorValue = string | number | boolean

/**
 * The values of a position as one token: unpadded base64url of their JSON list. A bigint becomes its
 * digits, as a text.
 * @throws InvalidArgumentException without values, or for one that is no text, number or boolean.
 */
export function encodeCursor(values: readonly unknown[]): string {
  if (!Array.isArray(values) || values.length === 0) {
    throw new InvalidArgumentException(
      'E_CURSOR',
      'a cursor is made of a list of one value or more',
    )
  }
  const encoded: CursorValue[] = []
  for (const value of values) encoded.push(encodable(value))
  return Buffer.from(JSON.stringify(encoded)).toString('base64url')
}

/**
 * The values in a token.
 * @throws InvalidArgumentException unless it is, byte for byte, what `encodeCursor` makes of so many
 *   values.
 */
export function decodeCursor(token: string, arity: number): readonly CursorValue[] {
  const values = parse(token)
  if (!areValues(values)) throw malformed('it holds no list of texts, numbers and booleans')
  if (values.length !== arity) {
    throw malformed(`it holds ${values.length} values and the order needs ${arity}`)
  }
  // Stray characters, padding, broken UTF-8, blanks in the JSON, digits beyond a double: each of them
  // would read as some position, and only a token that was never handed out has them.
  if (encodeCursor(values) !== token) throw malformed('it is not in the form that was handed out')
  return values
}

/** The error for a cursor that cannot be used; the reason never repeats what it holds. */
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
    `a cursor is made of texts, finite numbers and booleans, got ${nameOf(value)}`,
  )
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'number' ? String(value) : typeof value
}

function parse(token: string): unknown {
  if (token === '') throw malformed('it is empty')
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString())
  } catch {
    throw malformed('it holds no JSON')
  }
}

function areValues(values: unknown): values is readonly CursorValue[] {
  return Array.isArray(values) && values.length > 0 && values.every(isValue)
}

function isValue(value: unknown): value is CursorValue {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'string' || typeof value === 'boolean'
}
