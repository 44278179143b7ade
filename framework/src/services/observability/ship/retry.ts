/** Statuses that say: not now, come again. */
const passing = new Set([429, 502, 503, 504])

const firstWaitMs = 1_000
const maxWaitMs = 16_000
/** After a `Retry-After` everybody comes back at once, but for this. */
const spreadMs = 1_000

/** Whether the same post may be taken later on. */
export function isPassing(status: number): boolean {
  return passing.has(status)
}

/**
 * How long to wait after the `attempt`-th attempt: not less than the collector asked for, otherwise
 * twice as long each time. `random`, from 0 to 1, spreads those who failed together.
 */
export function waitMs(attempt: number, askedMs: number | null, random: number): number {
  if (askedMs !== null) return askedMs + random * spreadMs
  const most = Math.min(firstWaitMs * 2 ** (attempt - 1), maxWaitMs)
  return most / 2 + (random * most) / 2
}

/** What a `Retry-After` header asks for, in seconds or as a date; null when it makes no sense. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  // Dates begin with a weekday; Date.parse alone would find one in almost anything.
  const dateMs = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs)
}
