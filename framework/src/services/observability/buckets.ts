import { InvalidArgumentException } from '../../base/errors.ts'
import type { BucketCounts } from './metric.ts'
import { quote } from './quote.ts'

/** The bucket without an upper bound; its count is that of all observations. */
export const unbounded = '+Inf'

/**
 * A copy of the upper bounds of a histogram.
 * @throws InvalidArgumentException (E_METRIC_BUCKETS) unless they are finite and strictly ascending.
 */
export function checkBounds(bounds: readonly number[]): Float64Array {
  if (!Array.isArray(bounds)) return refuse(`a list of numbers; got ${quote(bounds)}`)
  for (const [at, bound] of bounds.entries()) {
    if (!Number.isFinite(bound)) refuse(`finite numbers; got ${String(bound)} at place ${at}`)
    const before = bounds[at - 1] ?? -Infinity
    if (bound <= before) refuse(`ascending numbers, each once; got ${bound} after ${before}`)
  }
  return Float64Array.from(bounds)
}

/** The bounds of buckets as they are written, ascending and without `+Inf`. */
export function boundsOf(buckets: Readonly<Record<string, unknown>>): string[] {
  // A JavaScript object lists its integer keys first, whatever the order they came in.
  return Object.keys(buckets)
    .filter((bound) => bound !== unbounded)
    .sort((a, b) => Number(a) - Number(b))
}

/** Whether two histograms count into the same buckets. */
export function sameBounds(a: BucketCounts, b: BucketCounts): boolean {
  const bounds = Object.keys(a)
  return bounds.length === Object.keys(b).length && bounds.every((bound) => b[bound] !== undefined)
}

function refuse(message: string): never {
  throw new InvalidArgumentException('E_METRIC_BUCKETS', `buckets are ${message}`)
}
