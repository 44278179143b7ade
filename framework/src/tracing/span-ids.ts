import { pooledRandomWord } from '../base/crypto/random-pool.ts'

/** The id of a new span: 16 hexadecimal digits, not all of them zero. */
export function newSpanId(): string {
  return wordHex(randomWord()) + wordHex(randomWord() || 1)
}

/** 32 random bits, as a signed number: V8 keeps those without an object of their own. */
export function randomWord(): number {
  return pooledRandomWord() | 0
}

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** 32 bits as eight hexadecimal digits. */
export function wordHex(word: number): string {
  return byteHex(word >>> 24) + byteHex(word >>> 16) + byteHex(word >>> 8) + byteHex(word)
}

function byteHex(word: number): string {
  return bytes[word & 255] ?? ''
}

/** The 32 bits that eight hexadecimal digits stand for. */
export function wordAt(text: string, at: number): number {
  return Number.parseInt(text.slice(at, at + 8), 16) | 0
}
