import { performance } from 'node:perf_hooks'

/** The moments whose seconds have ten digits, from 2001 to 2286; others are wrong, and shown as the nearest of these. */
const minEpochMs = 1_000_000_000_000
const maxEpochMs = 9_999_999_999_999

/** Smaller corrections of the system clock are not followed: they would only tear traces apart. */
const maxDriftMs = 100

let offsetMs = performance.timeOrigin
// The last one that was written: a batch has thousands of times within few seconds.
let lastSecond = 0
let lastSecondDigits: Uint8Array = Buffer.from('0000000000')

// The decimal digits of 0 to 999, three bytes each.
const threeDigits = Buffer.from(
  Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0')).join(''),
)

/** Writes a time of `performance.now()` as epoch nanoseconds, in 19 decimal digits: OTLP's format. */
export function writeUnixNano(to: Uint8Array, at: number, ms: number): void {
  // Other libraries may pass any time, even none.
  const epochMs = Math.min(Math.max(offsetMs + ms, minEpochMs), maxEpochMs) || minEpochMs
  const second = Math.floor(epochMs / 1_000)
  const nano = Math.min(Math.round((epochMs - second * 1_000) * 1e6), 999_999_999)
  if (second !== lastSecond) {
    lastSecond = second
    lastSecondDigits = Buffer.from(String(second))
  }
  for (let index = 0; index < 10; index += 1) to[at + index] = lastSecondDigits[index] ?? 0
  const micros = Math.floor(nano / 1_000)
  const millis = Math.floor(micros / 1_000)
  writeThreeDigits(to, at + 10, millis)
  writeThreeDigits(to, at + 13, micros - millis * 1_000)
  writeThreeDigits(to, at + 16, nano - micros * 1_000)
}

function writeThreeDigits(to: Uint8Array, at: number, number: number): void {
  to[at] = threeDigits[number * 3] ?? 0
  to[at + 1] = threeDigits[number * 3 + 1] ?? 0
  to[at + 2] = threeDigits[number * 3 + 2] ?? 0
}

/** The same as a text. */
export function unixNano(ms: number): string {
  const digits = Buffer.alloc(19)
  writeUnixNano(digits, 0, ms)
  return digits.toString('latin1')
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
