/** Seconds until the next request: doubled after each failure, up to 30. */
export function nextDelay(failures: number, refresh: number): number {
  return Math.max(refresh, Math.min(30, refresh * 2 ** failures))
}
