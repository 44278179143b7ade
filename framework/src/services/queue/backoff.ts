/** How long a queue waits between attempts. Times are seconds. */
export interface BackoffOptions {
  readonly backoff: number
  readonly longestBackoff: number
}

/** Seconds to wait after the failure of an attempt, counted from 1: 10, 20, 40 and so on. */
export function backoffAfter(attempt: number, { backoff, longestBackoff }: BackoffOptions): number {
  return Math.min(longestBackoff, backoff * 2 ** (attempt - 1))
}
