import { createSecretKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

const hexadecimal = /^[0-9a-f]{64}$/i
const base64 = /^[A-Za-z0-9+/_-]{43}=?$/

/** A key of 32 bytes from 64 hexadecimal digits or base64; undefined for any other text. */
export function parseKey(text: string): KeyObject | undefined {
  if (hexadecimal.test(text)) return createSecretKey(Buffer.from(text, 'hex'))
  return base64.test(text) ? createSecretKey(Buffer.from(text, 'base64')) : undefined
}
