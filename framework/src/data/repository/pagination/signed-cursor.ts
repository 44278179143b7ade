import { createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { malformed } from './cursor.ts'

// Keeps these signatures apart from any other use of the same key.
const purpose = 'framework/orm cursor 1'

/** A cursor and a signature over it and the order and filters it was made under. */
export function signCursor(token: string, key: KeyObject, context: string): string {
  return `${token}.${signature(token, key, context).toString('base64url')}`
}

/**
 * The cursor in a signed one.
 * @throws InvalidArgumentException when it was made without this key, or under another order or
 *   other filters.
 */
export function verifyCursor(signed: string, key: KeyObject, context: string): string {
  const dot = signed.indexOf('.')
  if (dot === -1) throw malformed('it is not signed')
  const token = signed.slice(0, dot)
  const expected = Buffer.from(signCursor(token, key, context))
  const came = Buffer.from(signed)
  if (came.length === expected.length && timingSafeEqual(came, expected)) return token
  throw malformed('its signature is not the one of this order and these filters')
}

function signature(token: string, key: KeyObject, context: string): Buffer {
  // The purpose and the token hold no NUL, so that no two messages can run together.
  return createHmac('sha256', key).update(`${purpose}\0${token}\0${context}`).digest()
}
