import { retryAfterMs } from '../observability/ship/retry.ts'

/** Pause after a 429 that says nothing more. */
const defaultPauseMs = 60_000
/** However long a server wants a pause to be. */
const maxPauseMs = 86_400_000

/** Headers of a response, as far as they say when to send again. */
export interface RateLimitHeaders {
  readonly status: number
  /** `X-Sentry-Rate-Limits`: limits between commas, each `seconds:categories:scope`. */
  readonly rateLimits: string | null
  readonly retryAfter: string | null
}

/**
 * How many milliseconds a response of Sentry wants no more errors for; 0 if it wants more. Limits of other
 * categories, such as transactions, do not count.
 */
export function pauseOf(
  { status, rateLimits, retryAfter }: RateLimitHeaders,
  nowMs: number,
): number {
  const pauses = (rateLimits ?? '').split(',').map(limitMs)
  // Without the precise header a 429 limits everything.
  if (status === 429 && rateLimits === null) {
    pauses.push(retryAfterMs(retryAfter, nowMs) ?? defaultPauseMs)
  }
  return Math.min(Math.max(...pauses), maxPauseMs)
}

function limitMs(limit: string): number {
  const [seconds = '', categories = ''] = limit.trim().split(':')
  const names = categories.split(';')
  const counts = categories === '' || names.includes('error') || names.includes('default')
  if (!counts) return 0
  return /^\d{1,9}(\.\d{1,9})?$/.test(seconds) ? Number(seconds) * 1_000 : 0
}
