/** How long a queue waits between attempts, in seconds. */
export interface BackoffOptions {
  readonly backoff: number
  readonly maxBackoff: number
}

/** Seconds to wait after a failed attempt, counted from 1: 10, 20, 40 and so on. */
export function backoffAfter(attempt: number, { backoff, maxBackoff }: BackoffOptions): number {
  return Math.min(maxBackoff, backoff * 2 ** (attempt - 1))
}
