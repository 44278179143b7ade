import { InvalidArgumentException } from '../../base/errors.ts'
import { countHit, verdictOf } from './counter.ts'
import type { Counter } from './counter.ts'
import type { RateLimitStore, RateRule, RateVerdict } from './rate-limit-store.ts'

/** How much is kept. */
export interface MemoryRateLimitsOptions {
  /** Most counters, 100,000 unless given; above it those that are over go, then the oldest. */
  readonly most?: number
}

/** Counters in this process: for tests, and for a server of one process. */
export class MemoryRateLimits implements RateLimitStore {
  readonly #counters = new Map<string, Counter>()
  readonly #most: number

  /** @throws InvalidArgumentException unless `most` is a whole number of 1 or more. */
  constructor({ most = 100_000 }: MemoryRateLimitsOptions = {}) {
    if (!Number.isSafeInteger(most) || most < 1) {
      throw new InvalidArgumentException(
        'E_INVALID_ARGUMENT',
        `most counters in memory must be a whole number of 1 or more, got ${most}`,
      )
    }
    this.#most = most
  }

  hit(digest: string, rule: RateRule, now: number): RateVerdict {
    const kept = this.#counters.get(digest) ?? null
    const counted = countHit(kept, rule, now)
    if (counted.allowed) {
      if (kept === null && this.#counters.size >= this.#most) this.#makeRoom(now)
      this.#counters.set(digest, counted)
    }
    return verdictOf(counted, rule, now)
  }

  /** Drops the counters that are over; the number of them. */
  sweep(now: number = Date.now() / 1000): number {
    const before = this.#counters.size
    for (const [digest, { ends }] of this.#counters) if (ends <= now) this.#counters.delete(digest)
    return before - this.#counters.size
  }

  /** Forgets every hit. */
  clear(): void {
    this.#counters.clear()
  }

  // A tenth at once, so that a flood of new counters does not pay for a sweep each.
  #makeRoom(now: number): void {
    const room = Math.ceil(this.#most / 10)
    let dropped = this.sweep(now)
    for (const digest of this.#counters.keys()) {
      if (dropped >= room) return
      this.#counters.delete(digest)
      dropped += 1
    }
  }
}
