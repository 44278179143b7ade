/** How hits are counted. */
export const RateAlgorithms = {
  /** A window starts at its first hit; at its end all hits are forgotten at once. */
  Fixed: 'fixed',
  /** Hits of the previous window still count, in proportion to its overlap with the sliding window. */
  Sliding: 'sliding',
} as const
Object.freeze(RateAlgorithms)
export type RateAlgorithms = (typeof RateAlgorithms)[keyof typeof RateAlgorithms]

/** How many hits a counter allows. */
export interface RateRule {
  readonly limit: number
  /** Seconds. */
  readonly window: number
  readonly algorithm: RateAlgorithms
  /**
   * Whether most hits are released again, so that a refusal may not last. It is then cached for a second
   * only.
   * @default false
   */
  readonly releasable?: boolean
}

/** The result of one hit. Times are epoch seconds, with fractions. */
export interface RateLimitResult {
  readonly allowed: boolean
  /** Hits that would still be allowed right now. */
  readonly remaining: number
  /** When the full limit is available again. */
  readonly reset: number
  /** When the next hit is allowed; until then every hit is refused. */
  readonly retry: number
}

/** The status of a rate limit for one request. */
export interface RateLimitStatus extends RateLimitResult {
  readonly limit: number
}

/**
 * Counts hits by a digest of their key; a store never sees an address or a name. Each hit is atomic:
 * concurrent hits of all processes together never exceed the limit. A result that is ready may be
 * returned without a promise.
 */
export interface RateLimitStore {
  hit(digest: string, rule: RateRule, now: number): RateLimitResult | Promise<RateLimitResult>
  /** Takes back an allowed hit of a window that is not over. Never rejects. */
  release?(digest: string, now: number): void | Promise<void>
  /** The refusal of a counter, if it is known without counting; null otherwise. */
  cached?(digest: string, now: number): RateLimitResult | null
}
