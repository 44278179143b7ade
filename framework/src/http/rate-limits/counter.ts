import { RateAlgorithms } from './rate-limit-store.ts'
import type { RateRule, RateLimitResult } from './rate-limit-store.ts'

/**
 * The stored state of one counter. The stores that count in SQL and Lua do the same arithmetic as this
 * file; their tests compare the results.
 */
export interface Counter {
  /** Allowed hits in the current window. */
  readonly hits: number
  /** Allowed hits in the previous window; always 0 for fixed windows. */
  readonly earlier: number
  /** Epoch seconds at which it expires; a sliding window still counts during the next one. */
  readonly ends: number
}

/** A counter after a hit; a refused hit is not counted. */
export interface CountedHit extends Counter {
  readonly allowed: boolean
}

/** Seconds added to a retry time, so that rounding never makes it too early. */
const roundingMargin = 0.001

export function countHit(counter: Counter | null, rule: RateRule, now: number): CountedHit {
  const current = advanced(counter, rule, now)
  const allowed = used(current, rule, now) < rule.limit
  return { ...current, hits: current.hits + (allowed ? 1 : 0), allowed }
}

/** The result of a counted hit for the client. */
export function resultOf(counted: CountedHit, rule: RateRule, now: number): RateLimitResult {
  const { limit, window, algorithm } = rule
  const { allowed, hits, ends } = counted
  const isFixed = algorithm === RateAlgorithms.Fixed
  return {
    allowed,
    remaining: allowed ? Math.max(0, Math.ceil(limit - used(counted, rule, now))) : 0,
    reset: isFixed || hits > 0 ? ends : ends - window,
    retry: allowed ? now : isFixed ? ends : slidingRetry(counted, rule),
  }
}

/** The counter in the window at `now`, before the hit. */
function advanced(counter: Counter | null, { window, algorithm }: RateRule, now: number): Counter {
  const span = algorithm === RateAlgorithms.Fixed ? window : 2 * window
  if (counter === null || counter.ends <= now) return { hits: 0, earlier: 0, ends: now + span }
  if (algorithm === RateAlgorithms.Fixed || counter.ends > now + window) return counter
  return { hits: 0, earlier: counter.hits, ends: counter.ends + window }
}

/** How much of the limit is used; hits of the previous window count in proportion to its overlap. */
function used({ hits, earlier, ends }: Counter, { window }: RateRule, now: number): number {
  return earlier === 0 ? hits : earlier * ((ends - window - now) / window) + hits
}

/** When a hit will be allowed again after a refusal. Refused hits are not counted. */
function slidingRetry({ hits, earlier, ends }: Counter, { limit, window }: RateRule): number {
  if (hits >= limit) return ends - (window * limit) / hits + roundingMargin
  return ends - window - (window * (limit - hits)) / earlier + roundingMargin
}
