import { createSecretKey, hkdfSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/**
 * A key of 32 bytes for one purpose, derived by HKDF. What one use of a key gives away says nothing
 * about another use, so a single secret can serve them all.
 */
export function subkey(key: KeyObject, purpose: string): KeyObject {
  return createSecretKey(derive(key, '', purpose, 32))
}

/** Bytes derived from a key by HKDF-SHA256. */
export function derive(
  key: KeyObject,
  salt: Uint8Array | string,
  purpose: string,
  length: number,
): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, `framework ${purpose}`, length))
}
