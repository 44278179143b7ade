import { performance } from 'node:perf_hooks'

/** The moments whose seconds have ten digits, from 2001 to 2286; others are wrong, and shown as the nearest of these. */
const minEpochMs = 1_000_000_000_000
const maxEpochMs = 9_999_999_999_999

/** Smaller corrections of the system clock are not followed: they would only tear traces apart. */
const maxDriftMs = 100

let offsetMs = performance.timeOrigin

/** A time of `performance.now()` as epoch nanoseconds, in 19 decimal digits: OTLP's format. */
export function unixNano(ms: number): string {
  // Other libraries may pass any time, even none.
  const epochMs = Math.min(Math.max(offsetMs + ms, minEpochMs), maxEpochMs) || minEpochMs
  const second = Math.floor(epochMs / 1_000)
  const nano = Math.min(Math.round((epochMs - second * 1_000) * 1e6), 999_999_999)
  return `${second}${String(1e9 + nano).slice(1)}`
}

/** An epoch time as one of `performance.now()`. */
export function fromEpochMs(epochMs: number): number {
  return epochMs - offsetMs
}

/** Follows the system clock, which may have been set since the process started. */
export function followSystemClock(): void {
  const nowMs = Date.now() - performance.now()
  if (Math.abs(nowMs - offsetMs) > maxDriftMs) offsetMs = nowMs
}
