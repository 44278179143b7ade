import type { KeyObject } from 'node:crypto'

const leastValues = 16

/**
 * What shows that nobody drew this key at random, or null. Chance alone makes a key of 32 bytes look
 * like this less than once in ten thousand billion.
 */
export function weaknessOf(key: KeyObject): string | null {
  const bytes = key.export()
  if (bytes.every((byte) => byte >= 0x20 && byte <= 0x7e)) return 'it is a text somebody typed'
  if (new Set(bytes).size < leastValues) return 'it repeats a few bytes'
  const step = stepAt(bytes, 1)
  if (bytes.every((_, at) => at === 0 || stepAt(bytes, at) === step)) return 'it counts up or down'
  return null
}

function stepAt(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) - (bytes[at - 1] ?? 0)) & 0xff
}
