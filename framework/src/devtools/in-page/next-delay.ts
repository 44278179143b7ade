/** Seconds until the next poll: doubled after each failure, up to `max`. */
export function nextDelay(failures: number, refresh: number, max: number): number {
  return Math.max(refresh, Math.min(max, refresh * 2 ** failures))
}
