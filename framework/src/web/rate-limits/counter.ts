import { RateAlgorithms } from './rate-limit-store.ts'
import type { RateRule, RateVerdict } from './rate-limit-store.ts'

/**
 * What is kept for one counter. The stores that count elsewhere, in SQL and in Lua, do the same
 * sums as this file; their tests compare the answers.
 */
export interface Counter {
  /** Hits that were allowed in the present window. */
  readonly hits: number
  /** Those of the window before; always 0 where windows are fixed. */
  readonly earlier: number
  /** Epoch seconds from which on nothing of it counts: windows that slide count for one more. */
  readonly ends: number
}

/** A counter after a hit, which counts only if it was allowed. */
export interface CountedHit extends Counter {
  readonly allowed: boolean
}

/** More than rounding can be off; a retry at the very moment a share is gone would come too soon. */
const moment = 0.001

/** Counts a hit. */
export function countHit(counter: Counter | null, rule: RateRule, now: number): CountedHit {
  const present = turned(counter, rule, now)
  const allowed = used(present, rule, now) < rule.limit
  return { ...present, hits: present.hits + (allowed ? 1 : 0), allowed }
}

/** What a counted hit means for whoever made it. */
export function verdictOf(counted: CountedHit, rule: RateRule, now: number): RateVerdict {
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

/** The counter as it is at that time, before the hit. */
function turned(counter: Counter | null, { window, algorithm }: RateRule, now: number): Counter {
  const span = algorithm === RateAlgorithms.Fixed ? window : 2 * window
  if (counter === null || counter.ends <= now) return { hits: 0, earlier: 0, ends: now + span }
  if (algorithm === RateAlgorithms.Fixed || counter.ends > now + window) return counter
  return { hits: 0, earlier: counter.hits, ends: counter.ends + window }
}

/** How much of the limit is used: of the window before counts the share that has not slid out. */
function used({ hits, earlier, ends }: Counter, { window }: RateRule, now: number): number {
  return earlier === 0 ? hits : earlier * ((ends - window - now) / window) + hits
}

/** When less than the limit will be used, after a hit was refused. Nothing is counted until then. */
function slidingRetry({ hits, earlier, ends }: Counter, { limit, window }: RateRule): number {
  if (hits >= limit) return ends - (window * limit) / hits + moment
  return ends - window - (window * (limit - hits)) / earlier + moment
}
