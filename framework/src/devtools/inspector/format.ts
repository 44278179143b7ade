/** A duration with three digits at most: `0.04 ms`, `0.4 ms`, `12 ms`, `1.25 s`. */
export function durationText(ms: number): string {
  if (ms >= 9_995) return `${(ms / 1_000).toFixed(1)} s`
  if (ms >= 999.5) return `${(ms / 1_000).toFixed(2)} s`
  if (ms >= 9.95) return `${Math.round(ms)} ms`
  return `${ms.toFixed(ms < 0.095 ? 2 : 1)} ms`
}

/** A time of day on this machine, to the second. */
export function timeText(epoch: number): string {
  return new Date(epoch * 1_000).toTimeString().slice(0, 8)
}

/** A number with its noun: `1 query`, `3 queries`. */
export function countText(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
