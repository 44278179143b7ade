import { hash } from 'node:crypto'
import { HttpError } from '../errors/http-error.ts'
import { MemoryRateLimits } from '../rate-limits/memory-rate-limits.ts'
import { networkOf } from '../../base/network.ts'
import { RateAlgorithms } from '../rate-limits/rate-limit-store.ts'
import type { RateLimitStore, RateRule } from '../rate-limits/rate-limit-store.ts'

/** How many sessions of guests one network may add to the store. */
export interface GuestLimitOptions {
  /** @default 100 */
  readonly limit?: number
  /**
   * Seconds.
   * @default 600
   */
  readonly window?: number
}

/** Limits the sessions that guests of one network add to the store, so that nobody can fill it. */
export class GuestLimit {
  readonly #rule: RateRule
  readonly #clock: () => number
  #store: RateLimitStore | null = null

  constructor({ limit = 100, window = 600 }: GuestLimitOptions = {}, clock: () => number) {
    this.#rule = { limit, window, algorithm: RateAlgorithms.Fixed }
    this.#clock = clock
  }

  /** The store of the server's rate limits; without one, each process counts for itself. */
  set store(store: RateLimitStore | null) {
    this.#store = store
  }

  /** @throws HttpError 429 if the network of this address has added too many. */
  async admit(peer: string): Promise<void> {
    this.#store ??= new MemoryRateLimits()
    const now = this.#clock()
    const digest = hash('sha256', `guest sessions ${networkOf(peer)}`, 'hex')
    const { allowed, retry } = await this.#store.hit(digest, this.#rule, now)
    if (allowed) return
    throw new HttpError(429, 'too many new sessions for guests of this network', {
      headers: { 'Retry-After': String(Math.max(1, Math.ceil(retry - now))) },
    })
  }
}
