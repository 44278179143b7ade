import type { RateLimitStore, RateRule, RateLimitResult } from './rate-limit-store.ts'

const maxEntries = 10_000

/**
 * Caches refusals of a store until their retry time. No hit is counted until then, so a cached refusal
 * is always right, and a flood of refused requests puts no load on the store.
 */
export class RefusalCache implements RateLimitStore {
  readonly #hit: RateLimitStore['hit']
  readonly #refused = new Map<string, RateLimitResult>()

  constructor(hit: RateLimitStore['hit']) {
    this.#hit = hit
  }

  /** A cached refusal that still holds; null if there is none. */
  cached(digest: string, now: number): RateLimitResult | null {
    const refused = this.#refused.get(digest)
    if (refused === undefined) return null
    if (now < refused.retry) return refused
    this.#refused.delete(digest)
    return null
  }

  hit(digest: string, rule: RateRule, now: number): RateLimitResult | Promise<RateLimitResult> {
    const refused = this.cached(digest, now)
    if (refused !== null) return refused
    const result = this.#hit(digest, rule, now)
    if (result instanceof Promise) return result.then((counted) => this.#keep(digest, counted))
    return this.#keep(digest, result)
  }

  #keep(digest: string, result: RateLimitResult): RateLimitResult {
    if (result.allowed) return result
    // Dropping entries is harmless: the store refuses again.
    if (this.#refused.size >= maxEntries) this.#refused.clear()
    this.#refused.set(digest, result)
    return result
  }
}
