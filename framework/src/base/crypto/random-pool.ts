import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(4096)
let used = pool.length

/** Random bytes, up to 4,096. For many short values: asking the system once for all is much cheaper. */
export function pooledRandomBytes(length: number): Buffer {
  if (used + length > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = Buffer.from(pool.subarray(used, used + length))
  // What was given out is not kept.
  pool.fill(0, used, used + length)
  used += length
  return bytes
}

const words = new Uint32Array(1024)
let usedWords = words.length

/** A random number of 32 bits. For ids that must not repeat, not for secrets: it allocates nothing. */
export function pooledRandomWord(): number {
  if (usedWords === words.length) {
    randomFillSync(words)
    usedWords = 0
  }
  return words[usedWords++] ?? 0
}
