import { createSecretKey, hkdfSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/**
 * A 32-byte key for one purpose, derived with HKDF. A leaked subkey reveals nothing about the
 * others, so a single secret can serve all purposes.
 */
export function subkey(key: KeyObject, purpose: string): KeyObject {
  return createSecretKey(derive(key, '', purpose, 32))
}

/** Bytes derived from a key with HKDF-SHA256. */
export function derive(
  key: KeyObject,
  salt: Uint8Array | string,
  purpose: string,
  length: number,
): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, `framework ${purpose}`, length))
}
