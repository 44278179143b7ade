/** Statuses that ask for a retry. */
const retryable = new Set([429, 502, 503, 504])

const firstWaitMs = 1_000
const maxWaitMs = 16_000
/** Random extra after a `Retry-After`, so that not all clients return at the same moment. */
const spreadMs = 1_000

/** Whether the same request may succeed later. */
export function isRetryable(status: number): boolean {
  return retryable.has(status)
}

/**
 * How long to wait after attempt number `attempt`: at least as long as the collector requested, else
 * exponentially longer each time. `random`, from 0 to 1, spreads clients that failed together.
 */
export function waitMs(attempt: number, requestedMs: number | null, random: number): number {
  if (requestedMs !== null) return requestedMs + random * spreadMs
  const max = Math.min(firstWaitMs * 2 ** (attempt - 1), maxWaitMs)
  return max / 2 + (random * max) / 2
}

/** The delay that a `Retry-After` header requests, in seconds or as a date; null when invalid. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  // HTTP dates start with a weekday; Date.parse alone accepts almost anything.
  const dateMs = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs)
}
