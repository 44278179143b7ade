import { performance } from 'node:perf_hooks'

/** Smaller corrections of the system clock are not followed: they would only tear traces apart. */
const maxDriftMs = 100

let offsetMs = performance.timeOrigin
// The last one that was written: a batch has thousands of times within few seconds.
let lastSecond = 0
let lastSecondText = '0'

/** A time of `performance.now()` as epoch nanoseconds, in decimal: OTLP's format. */
export function unixNano(ms: number): string {
  const epochMs = offsetMs + ms
  const seconds = Math.floor(epochMs / 1_000)
  const nano = Math.min(Math.round((epochMs - seconds * 1_000) * 1e6), 999_999_999)
  if (seconds !== lastSecond) {
    lastSecond = seconds
    lastSecondText = String(seconds)
  }
  return lastSecondText + String(nano + 1e9).slice(1)
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
