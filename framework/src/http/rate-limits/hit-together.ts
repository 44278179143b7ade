import { HttpError } from '../errors/http-error.ts'
import type { Request } from '../request/request.ts'
import type { RateLimitResult, RateLimitStore, RateRule } from './rate-limit-store.ts'

/** A counter and its rule. */
export interface LimitedCounter {
  readonly digest: string
  readonly rule: RateRule
}

/**
 * Counts a hit in several counters at once, in all of them or, if one refuses, in none. The counters are
 * sent to the store together; one that counted before another refused releases its hit again.
 */
export function hitTogether(
  store: RateLimitStore,
  counters: readonly LimitedCounter[],
  now: number,
): RateLimitResult | Promise<RateLimitResult> {
  const [only, ...others] = counters
  if (only !== undefined && others.length === 0) return store.hit(only.digest, only.rule, now)
  // A refusal that is known costs nothing, and leaves no counter behind.
  for (const { digest } of counters) {
    const refused = store.cached?.(digest, now) ?? null
    if (refused !== null) return refused
  }
  const results = counters.map(({ digest, rule }) => store.hit(digest, rule, now))
  const ready = results.filter((result): result is RateLimitResult => !(result instanceof Promise))
  if (ready.length === results.length) return settle(store, counters, ready, now)
  const counting = results.map((result) => Promise.resolve(result))
  return Promise.all(counting).then((counted) => settle(store, counters, counted, now))
}

/** Takes back a hit of all counters. */
export async function releaseTogether(
  store: RateLimitStore,
  counters: readonly LimitedCounter[],
  now: number,
): Promise<void> {
  await Promise.all(counters.map(async ({ digest }) => store.release?.(digest, now)))
}

/** The strictest result: a refusal, the one that lasts longest, or the one with the fewest hits left. */
function settle(
  store: RateLimitStore,
  counters: readonly LimitedCounter[],
  results: readonly RateLimitResult[],
  now: number,
): RateLimitResult | Promise<RateLimitResult> {
  const strictest = results.reduce((one, other) => (isStricter(other, one) ? other : one))
  if (strictest.allowed) return strictest
  const counted = counters.filter((_, at) => results[at]?.allowed === true)
  if (counted.length === 0) return strictest
  return releaseTogether(store, counted, now).then(() => strictest)
}

function isStricter(one: RateLimitResult, other: RateLimitResult): boolean {
  if (one.allowed !== other.allowed) return other.allowed
  return one.allowed ? one.remaining < other.remaining : one.retry > other.retry
}

/** The refusal of a limit: a 429 with `Retry-After`. */
export function tooManyRequests(
  { limit, window }: RateRule,
  { retry }: RateLimitResult,
  now: number,
): HttpError {
  const wait = Math.max(1, Math.ceil(retry - now))
  return new HttpError(
    429,
    `only ${limit} requests in ${window} s are allowed here; try again in ${wait} s`,
    { headers: { 'Retry-After': String(wait) } },
  )
}

/** Keeps the status for the headers, unless another limit of the route has fewer requests left. */
export function keepStatus(request: Request, limit: number, result: RateLimitResult): void {
  const { rateLimit } = request
  if (rateLimit !== null && result.allowed && rateLimit.remaining <= result.remaining) return
  request.rateLimit = { ...result, limit }
}
