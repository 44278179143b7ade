import { Throwables } from '../../errors/throwables/throwables.ts'
import { ConfigurationError, FrameworkError } from '../../base/errors.ts'
import { MemoryRateLimits } from './memory-rate-limits.ts'
import type { RateLimitStore, RateRule, RateLimitResult } from './rate-limit-store.ts'

/** Options of a store that may be unreachable. */
export interface FallbackOptions {
  /** Reports each outage once. */
  readonly throwables?: Throwables
  /** Monotonic milliseconds; for tests. */
  readonly nowMs?: () => number
}

/** Time between two attempts to reach the store. */
const pauseMs = 1000

/**
 * Counts in a store, and in this process while the store is unreachable: refusing everybody would turn
 * one outage into two. Each process then allows the full limit. One hit a second tries the store, so a
 * hanging store delays no others; the first success switches back.
 */
export class Fallback implements RateLimitStore {
  readonly #store: RateLimitStore
  readonly #throwables: Throwables
  readonly #nowMs: () => number
  /** Used during an outage; otherwise null. */
  #local: MemoryRateLimits | null = null
  #retryMs = 0
  /** How often the store has recovered. */
  #recoveries = 0

  constructor(store: RateLimitStore, options: FallbackOptions = {}) {
    const { throwables = Throwables, nowMs = () => performance.now() } = options
    this.#store = store
    this.#throwables = throwables
    this.#nowMs = nowMs
  }

  /** @throws ConfigurationError, because waiting does not fix it. */
  hit(digest: string, rule: RateRule, now: number): RateLimitResult | Promise<RateLimitResult> {
    if (this.#local !== null && !this.#mayRetry()) return this.#local.hit(digest, rule, now)
    const recoveries = this.#recoveries
    try {
      const result = this.#store.hit(digest, rule, now)
      if (!(result instanceof Promise)) return this.#succeeded(result)
      return result.then(
        (counted) => this.#succeeded(counted),
        (error: unknown) => {
          // The failure of a call made before the recovery says nothing about the store now.
          if (recoveries !== this.#recoveries) return this.hit(digest, rule, now)
          return this.#failed(error).hit(digest, rule, now)
        },
      )
    } catch (error) {
      return this.#failed(error).hit(digest, rule, now)
    }
  }

  /** A release that fails is ignored: at worst a client waits longer. */
  async release(digest: string, now: number): Promise<void> {
    if (this.#local !== null) return this.#local.release(digest, now)
    try {
      await this.#store.release?.(digest, now)
    } catch {
      // The next hit reports the outage.
    }
  }

  #mayRetry(): boolean {
    const nowMs = this.#nowMs()
    if (nowMs < this.#retryMs) return false
    this.#retryMs = nowMs + pauseMs
    return true
  }

  #succeeded(result: RateLimitResult): RateLimitResult {
    if (this.#local !== null) this.#recoveries += 1
    this.#local = null
    return result
  }

  #failed(cause: unknown): MemoryRateLimits {
    if (cause instanceof ConfigurationError) throw cause
    if (this.#local !== null) return this.#local
    this.#local = new MemoryRateLimits()
    this.#retryMs = this.#nowMs() + pauseMs
    this.#throwables.notify(
      new FrameworkError(
        'E_RATE_LIMIT_STORE',
        'the store of rate limits does not answer; until it does, each process counts for itself',
        { cause },
      ),
    )
    return this.#local
  }
}
