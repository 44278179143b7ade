import { pooledRandomWord } from '../../base/crypto/random-pool.ts'

/** A new span id. */
export function newSpanId(): string {
  return wordHex(pooledRandomWord()) + wordHex(pooledRandomWord() || 1)
}

/** 32 bits as eight hexadecimal digits. */
export function wordHex(word: number): string {
  return (word + 0x1_0000_0000).toString(16).slice(1)
}
