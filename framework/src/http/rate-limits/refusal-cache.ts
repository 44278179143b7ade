import type { RateLimitStore, RateRule, RateLimitResult } from './rate-limit-store.ts'

const maxEntries = 10_000

/** Seconds for which refusals of a releasable rule are cached. */
const shortLifetime = 1

/**
 * Caches refusals of a store until their retry time. No hit is counted until then, and hardly any is
 * released, so a cached refusal is right, and a flood of refused requests puts no load on the store.
 */
export class RefusalCache implements RateLimitStore {
  readonly #hit: RateLimitStore['hit']
  readonly #release: (digest: string, now: number) => unknown
  readonly #refused = new Map<string, CachedRefusal>()

  constructor(
    hit: RateLimitStore['hit'],
    release: (digest: string, now: number) => unknown = () => {},
  ) {
    this.#hit = hit
    this.#release = release
  }

  /** A cached refusal that still holds; null if there is none. */
  cached(digest: string, now: number): RateLimitResult | null {
    const refused = this.#refused.get(digest)
    if (refused === undefined) return null
    if (now < refused.until) return refused.result
    this.#refused.delete(digest)
    return null
  }

  /** Also forgets the refusal: the counter has room again. */
  async release(digest: string, now: number): Promise<void> {
    this.#refused.delete(digest)
    await this.#release(digest, now)
  }

  hit(digest: string, rule: RateRule, now: number): RateLimitResult | Promise<RateLimitResult> {
    const refused = this.cached(digest, now)
    if (refused !== null) return refused
    const result = this.#hit(digest, rule, now)
    if (!(result instanceof Promise)) return this.#keep(digest, result, rule, now)
    return result.then((counted) => this.#keep(digest, counted, rule, now))
  }

  #keep(
    digest: string,
    result: RateLimitResult,
    { releasable = false }: RateRule,
    now: number,
  ): RateLimitResult {
    if (result.allowed) return result
    const until = releasable ? Math.min(result.retry, now + shortLifetime) : result.retry
    // Dropping entries is harmless: the store refuses again.
    if (this.#refused.size >= maxEntries) this.#refused.clear()
    this.#refused.set(digest, { result, until })
    return result
  }
}

interface CachedRefusal {
  readonly result: RateLimitResult
  readonly until: number
}
