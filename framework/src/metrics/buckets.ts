import { InvalidArgumentException } from '../base/errors.ts'
import type { BucketCounts } from './metric.ts'
import { quote } from './metric-name.ts'

/** The bucket without an upper bound, which counts all observations. */
export const unbounded = '+Inf'

/**
 * Validates and copies the upper bounds of a histogram.
 * @throws InvalidArgumentException (E_METRIC_BUCKETS) unless they are finite and strictly ascending.
 */
export function checkBounds(bounds: readonly number[]): Float64Array {
  if (!Array.isArray(bounds)) return refuseBounds(`a list of numbers; got ${quote(bounds)}`)
  for (const [at, bound] of bounds.entries()) {
    if (!Number.isFinite(bound)) refuseBounds(`finite numbers; got ${String(bound)} at index ${at}`)
    const before = bounds[at - 1] ?? -Infinity
    if (bound <= before) refuseBounds(`strictly ascending; got ${bound} after ${before}`)
  }
  return Float64Array.from(bounds)
}

/** The bounds of buckets as text, ascending and without `+Inf`. */
export function boundsOf(buckets: Readonly<Record<string, unknown>>): string[] {
  // JavaScript objects list integer keys first, regardless of insertion order.
  return Object.keys(buckets)
    .filter((bound) => bound !== unbounded)
    .sort((a, b) => Number(a) - Number(b))
}

/** Whether two histograms have the same buckets. */
export function sameBounds(a: BucketCounts, b: BucketCounts): boolean {
  const bounds = Object.keys(a)
  return bounds.length === Object.keys(b).length && bounds.every((bound) => b[bound] !== undefined)
}

function refuseBounds(expected: string): never {
  throw new InvalidArgumentException('E_METRIC_BUCKETS', `buckets must be ${expected}`)
}
