import { invalidArgument } from '../../base/errors.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import { countHit, resultOf } from './counter.ts'
import type { Counter } from './counter.ts'
import type { RateLimitStore, RateRule, RateLimitResult } from './rate-limit-store.ts'

/** Options of `MemoryRateLimits`. */
export interface MemoryRateLimitsOptions {
  /**
   * Maximum number of counters; above it, expired ones are dropped first, then the oldest.
   * @default 100000
   */
  readonly max?: number
}

/** Counters in this process: for tests, and for a server of one process. */
export class MemoryRateLimits implements RateLimitStore {
  readonly #counters = new Map<string, Counter>()
  readonly #max: number

  /** @throws InvalidArgumentException unless `max` is a whole number of at least 1. */
  constructor({ max = 100_000 }: MemoryRateLimitsOptions = {}) {
    if (!Number.isSafeInteger(max) || max < 1) {
      throw invalidArgument(
        `max of MemoryRateLimits must be a whole number, at least 1, got ${max}`,
      )
    }
    this.#max = max
  }

  hit(digest: string, rule: RateRule, now: number): RateLimitResult {
    const kept = this.#counters.get(digest) ?? null
    const counted = countHit(kept, rule, now)
    if (counted.allowed) {
      if (kept === null && this.#counters.size >= this.#max) this.#makeRoom(now)
      this.#counters.set(digest, counted)
    }
    return resultOf(counted, rule, now)
  }

  release(digest: string, now: number): void {
    const kept = this.#counters.get(digest)
    if (kept === undefined || kept.ends <= now || kept.hits === 0) return
    if (kept.hits === 1 && kept.earlier === 0) this.#counters.delete(digest)
    else this.#counters.set(digest, { ...kept, hits: kept.hits - 1 })
  }

  /** Drops expired counters and returns how many. */
  sweep(now: number = epochSeconds()): number {
    const before = this.#counters.size
    for (const [digest, { ends }] of this.#counters) if (ends <= now) this.#counters.delete(digest)
    return before - this.#counters.size
  }

  /** Forgets every hit. */
  clear(): void {
    this.#counters.clear()
  }

  // Drops a tenth at a time, so that not every new counter needs a sweep.
  #makeRoom(now: number): void {
    const room = Math.ceil(this.#max / 10)
    let dropped = this.sweep(now)
    for (const digest of this.#counters.keys()) {
      if (dropped >= room) return
      this.#counters.delete(digest)
      dropped += 1
    }
  }
}
