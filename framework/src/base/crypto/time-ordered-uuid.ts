import { pooledRandomWord } from './random-pool.ts'

const maxCounter = 0xfff

let lastMs = 0
let counter = 0

/**
 * A UUID of version 7 (RFC 9562): it starts with the time, so that new rows go to the end of an
 * index. Within a process each is greater than the one before, also in the same millisecond and
 * when the clock is set back.
 */
export function timeOrderedUuid(): string {
  const now = Date.now()
  if (now > lastMs) {
    lastMs = now
    // Random, so that ids of other processes tell little; the upper half is left to count in.
    counter = pooledRandomWord() & 0x7ff
  } else if (counter < maxCounter) {
    counter += 1
  } else {
    lastMs += 1
    counter = pooledRandomWord() & 0x7ff
  }
  const time = lastMs.toString(16).padStart(12, '0')
  const variant = 0x8000 | (pooledRandomWord() & 0x3fff)
  const random = word() + hex(pooledRandomWord() & 0xffff, 4)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(counter, 3)}-${hex(variant, 4)}-${random}`
}

function word(): string {
  return hex(pooledRandomWord(), 8)
}

function hex(number: number, length: number): string {
  return number.toString(16).padStart(length, '0')
}
