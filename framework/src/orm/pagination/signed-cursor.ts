import { createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { malformed } from './cursor.ts'

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
