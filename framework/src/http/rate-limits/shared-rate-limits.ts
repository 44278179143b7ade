import { Throwables } from '../../errors/throwables/throwables.ts'
import { ConfigurationError, FrameworkError } from '../../base/errors.ts'
import { MemoryRateLimits } from './memory-rate-limits.ts'
import type { RateLimitStore, RateRule, RateLimitResult } from './rate-limit-store.ts'

/** Options of a store that may be unreachable. */
export interface SharedRateLimitsOptions {
  /** Reports each outage once. */
  readonly throwables?: Throwables
  /** Monotonic milliseconds; for tests. */
  readonly nowMs?: () => number
}

/** Time between two attempts to reach the store. */
const pauseMs = 1000

/** Cached refusals. */
const maxRefused = 10_000

/** Seconds for which refusals of a releasable rule are cached. */
const shortLifetime = 1

interface Refusal {
  readonly result: RateLimitResult
  readonly until: number
}

/**
 * Counters that several processes share.
 *
 * Refusals are cached until their retry time. No hit is counted until then, and hardly any is released, so a
 * cached refusal is right, and a flood of refused requests puts no load on the store.
 *
 * While the store is unreachable, each process counts by itself and allows the full limit: refusing everybody
 * would turn one outage into two. One hit a second tries the store, so a hanging store delays no others; the
 * first success switches back.
 */
export abstract class SharedRateLimits implements RateLimitStore {
  readonly #throwables: Throwables
  readonly #nowMs: () => number
  readonly #refused = new Map<string, Refusal>()
  /** Used during an outage; otherwise null. */
  #local: MemoryRateLimits | null = null
  #retryMs = 0
  /** How often the store has recovered. */
  #recoveries = 0

  constructor(options: SharedRateLimitsOptions = {}) {
    const { throwables = Throwables, nowMs = () => performance.now() } = options
    this.#throwables = throwables
    this.#nowMs = nowMs
  }

  /** Counts a hit in the store. */
  protected abstract count(digest: string, rule: RateRule, now: number): Promise<RateLimitResult>

  /** Takes back a hit in the store. */
  protected abstract uncount(digest: string, now: number): Promise<unknown>

  /** @throws ConfigurationError, because waiting does not fix it. */
  hit(digest: string, rule: RateRule, now: number): RateLimitResult | Promise<RateLimitResult> {
    const refused = this.cached(digest, now)
    if (refused !== null) return refused
    if (this.#local !== null && !this.#mayRetry()) return this.#local.hit(digest, rule, now)
    const recoveries = this.#recoveries
    return this.count(digest, rule, now).then(
      (counted) => this.#succeeded(digest, counted, rule, now),
      (error: unknown) => {
        // The failure of a call made before the recovery says nothing about the store now.
        if (recoveries !== this.#recoveries) return this.hit(digest, rule, now)
        return this.#failed(error).hit(digest, rule, now)
      },
    )
  }

  /** A release that fails is ignored: at worst a client waits longer. */
  async release(digest: string, now: number): Promise<void> {
    if (this.#local !== null) return this.#local.release(digest, now)
    // The counter has room again.
    this.#refused.delete(digest)
    try {
      await this.uncount(digest, now)
    } catch {
      // The next hit reports the outage.
    }
  }

  /** A cached refusal that still holds; null if there is none. */
  cached(digest: string, now: number): RateLimitResult | null {
    const refused = this.#refused.get(digest)
    if (refused === undefined) return null
    if (now < refused.until) return refused.result
    this.#refused.delete(digest)
    return null
  }

  #mayRetry(): boolean {
    const nowMs = this.#nowMs()
    if (nowMs < this.#retryMs) return false
    this.#retryMs = nowMs + pauseMs
    return true
  }

  #succeeded(
    digest: string,
    result: RateLimitResult,
    { releasable = false }: RateRule,
    now: number,
  ): RateLimitResult {
    if (this.#local !== null) this.#recoveries += 1
    this.#local = null
    if (result.allowed) return result
    const until = releasable ? Math.min(result.retry, now + shortLifetime) : result.retry
    // Dropping entries is harmless: the store refuses again.
    if (this.#refused.size >= maxRefused) this.#refused.clear()
    this.#refused.set(digest, { result, until })
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
