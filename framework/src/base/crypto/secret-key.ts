import { createSecretKey, hkdfSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

const hexadecimal = /^[0-9a-f]{64}$/i
const base64 = /^[A-Za-z0-9+/_-]{43}=?$/

/** A key of 32 bytes from 64 hexadecimal digits or base64; undefined for any other text. */
export function parseKey(text: string): KeyObject | undefined {
  if (hexadecimal.test(text)) return createSecretKey(Buffer.from(text, 'hex'))
  return base64.test(text) ? createSecretKey(Buffer.from(text, 'base64')) : undefined
}

const minDistinctBytes = 16

/**
 * Why this key was evidently not chosen at random, or null. A random 32-byte key fails these checks
 * less than once in ten trillion times.
 */
export function keyWeakness(key: KeyObject): string | null {
  const bytes = key.export()
  if (bytes.every((byte) => byte >= 0x20 && byte <= 0x7e)) return 'it looks like typed text'
  if (new Set(bytes).size < minDistinctBytes) return 'it repeats a few bytes'
  const step = stepAt(bytes, 1)
  if (bytes.every((_, at) => at === 0 || stepAt(bytes, at) === step)) return 'it counts up or down'
  return null
}

function stepAt(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) - (bytes[at - 1] ?? 0)) & 0xff
}

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
