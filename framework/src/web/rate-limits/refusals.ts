import type { RateLimitStore, RateRule, RateVerdict } from './rate-limit-store.ts'

const most = 10_000

/**
 * Remembers whom the store has refused. Nothing is counted until the time that a refusal names, so
 * it holds as long in every process, and a flood that is over its limit costs the store nothing.
 */
export class Refusals implements RateLimitStore {
  readonly #hit: RateLimitStore['hit']
  readonly #refused = new Map<string, RateVerdict>()

  constructor(hit: RateLimitStore['hit']) {
    this.#hit = hit
  }

  /** The refusal that still holds, without asking the store; null when there is none. */
  remembered(digest: string, now: number): RateVerdict | null {
    const refused = this.#refused.get(digest)
    if (refused === undefined) return null
    if (now < refused.retry) return refused
    this.#refused.delete(digest)
    return null
  }

  hit(digest: string, rule: RateRule, now: number): RateVerdict | Promise<RateVerdict> {
    const refused = this.remembered(digest, now)
    if (refused !== null) return refused
    const outcome = this.#hit(digest, rule, now)
    if (outcome instanceof Promise) return outcome.then((verdict) => this.#noted(digest, verdict))
    return this.#noted(digest, outcome)
  }

  #noted(digest: string, verdict: RateVerdict): RateVerdict {
    if (verdict.allowed) return verdict
    // Who is forgotten here is refused by the store once more.
    if (this.#refused.size >= most) this.#refused.clear()
    this.#refused.set(digest, verdict)
    return verdict
  }
}
