import { pooledRandomWord } from './random-pool.ts'

const maxCounter = 0xfff

/** Makes UUIDs of version 7 (RFC 9562), each greater than the one before, whatever the clock does. */
export class UuidSequence {
  #lastMs = 0
  #counter = 0

  next(): string {
    const now = Date.now()
    if (now <= this.#lastMs && this.#counter < maxCounter) this.#counter += 1
    else {
      this.#lastMs = Math.max(now, this.#lastMs + 1)
      // Random, so that ids of other processes tell little; the upper half is left to count in.
      this.#counter = pooledRandomWord() & 0x7ff
    }
    const time = this.#lastMs.toString(16).padStart(12, '0')
    const variant = 0x8000 | (pooledRandomWord() & 0x3fff)
    const random = hex(pooledRandomWord(), 8) + hex(pooledRandomWord() & 0xffff, 4)
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(this.#counter, 3)}-${hex(variant, 4)}-${random}`
  }
}

const sequence = new UuidSequence()

/**
 * A UUID of version 7: it starts with the time, so that new rows go to the end of an index. Within a
 * process each is greater than the one before, also in the same millisecond and when the clock is set
 * back.
 */
export function timeOrderedUuid(): string {
  return sequence.next()
}

function hex(number: number, length: number): string {
  return number.toString(16).padStart(length, '0')
}
