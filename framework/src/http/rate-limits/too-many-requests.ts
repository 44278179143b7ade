import { HttpError } from '../errors/http-error.ts'
import type { Request } from '../request/request.ts'
import type { RateLimitResult, RateRule } from './rate-limit-store.ts'

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
