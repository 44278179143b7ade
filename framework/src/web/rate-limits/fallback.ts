import { Throwables } from '../../base/throwables/throwables.ts'
import { ConfigurationError, FrameworkError } from '../../base/errors.ts'
import { MemoryRateLimits } from './memory-rate-limits.ts'
import type { RateLimitStore, RateRule, RateVerdict } from './rate-limit-store.ts'

/** What a store that can be out of reach is told. */
export interface FallbackOptions {
  /** Hears once of each time the store is out of reach. */
  readonly throwables?: Throwables
  /** Monotonic milliseconds, in place of `performance.now()`. */
  readonly nowMs?: () => number
}

/** Time between two attempts at a store that is out of reach. */
const pauseMs = 1000

/**
 * Counts in a store, and in this process while the store is out of reach: a limit is a brake, and
 * to refuse everybody would make one failure two. Each process then allows the whole limit. One hit
 * a second tries the store, so that a store that hangs holds up no others, and the first answer ends it.
 */
export class Fallback implements RateLimitStore {
  readonly #store: RateLimitStore
  readonly #throwables: Throwables
  readonly #nowMs: () => number
  /** Counts while the store is out of reach; null while it answers. */
  #local: MemoryRateLimits | null = null
  #retryMs = 0
  /** How often the store has come back. */
  #recoveries = 0

  constructor(store: RateLimitStore, options: FallbackOptions = {}) {
    const { throwables = Throwables, nowMs = () => performance.now() } = options
    this.#store = store
    this.#throwables = throwables
    this.#nowMs = nowMs
  }

  /** @throws ConfigurationError, which waiting does not mend. */
  hit(digest: string, rule: RateRule, now: number): RateVerdict | Promise<RateVerdict> {
    if (this.#local !== null && !this.#takesTurn()) return this.#local.hit(digest, rule, now)
    const begun = this.#recoveries
    try {
      const outcome = this.#store.hit(digest, rule, now)
      if (!(outcome instanceof Promise)) return this.#answered(outcome)
      return outcome.then(
        (verdict) => this.#answered(verdict),
        (error: unknown) => {
          // What was sent before the store came back says nothing about the store of now.
          if (begun !== this.#recoveries) return this.hit(digest, rule, now)
          return this.#failed(error).hit(digest, rule, now)
        },
      )
    } catch (error) {
      return this.#failed(error).hit(digest, rule, now)
    }
  }

  #takesTurn(): boolean {
    const nowMs = this.#nowMs()
    if (nowMs < this.#retryMs) return false
    this.#retryMs = nowMs + pauseMs
    return true
  }

  #answered(verdict: RateVerdict): RateVerdict {
    if (this.#local !== null) this.#recoveries += 1
    this.#local = null
    return verdict
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
