/** Seconds until the next request: twice as long after each failure, and never more than 30. */
export function nextDelay(failures: number, refresh: number): number {
  return Math.max(refresh, Math.min(30, refresh * 2 ** failures))
}
