/** How hits are counted. */
export const RateAlgorithms = {
  /** From the first hit on for a whole window, at whose very end all is forgotten. */
  Fixed: 'fixed',
  /** Of the window before counts the share that has not slid out: at its very end still all of it. */
  Sliding: 'sliding',
} as const
Object.freeze(RateAlgorithms)
export type RateAlgorithms = (typeof RateAlgorithms)[keyof typeof RateAlgorithms]

/** How many hits a counter takes. */
export interface RateRule {
  readonly limit: number
  /** Seconds. */
  readonly window: number
  readonly algorithm: RateAlgorithms
}

/** What a store says of one hit. Times are epoch seconds, with fractions. */
export interface RateVerdict {
  readonly allowed: boolean
  /** Hits that would be allowed right now, after this one. */
  readonly remaining: number
  /** From then on the whole limit is there again. */
  readonly reset: number
  /** From then on a hit is allowed; until then every one is refused. */
  readonly retry: number
}

/** What a limit says of one request. */
export interface RateLimitStatus extends RateVerdict {
  readonly limit: number
}

/**
 * Where hits are counted, by a digest of what they are counted for; a store never sees an address
 * or a name. Each hit is one atomic step: of hits at the same time no more than the limit are
 * allowed, from whichever process they come. What is ready at once comes without a promise.
 */
export interface RateLimitStore {
  hit(digest: string, rule: RateRule, now: number): RateVerdict | Promise<RateVerdict>
}
