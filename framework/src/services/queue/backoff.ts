/** How long a queue waits between attempts. Times are seconds. */
export interface BackoffOptions {
  readonly backoff: number
  readonly maxBackoff: number
}

/** Seconds to wait after the failure of an attempt, counted from 1: 10, 20, 40 and so on. */
export function backoffAfter(attempt: number, { backoff, maxBackoff }: BackoffOptions): number {
  return Math.min(maxBackoff, backoff * 2 ** (attempt - 1))
}
