import { pooledRandomWord } from '../../base/crypto/random-pool.ts'

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A new span id. */
export function newSpanId(): string {
  return wordHex(pooledRandomWord()) + wordHex(pooledRandomWord() || 1)
}

/** 32 bits as eight hexadecimal digits. */
export function wordHex(word: number): string {
  return byteHex(word >>> 24) + byteHex(word >>> 16) + byteHex(word >>> 8) + byteHex(word)
}

function byteHex(word: number): string {
  return bytes[word & 255] ?? ''
}
