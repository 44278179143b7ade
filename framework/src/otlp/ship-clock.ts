import { setTimeout as sleep } from 'node:timers/promises'

/** Time and randomness for shipping, replaceable in tests. */
export interface ShipClock {
  /** Epoch milliseconds. */
  now(): number
  /** A number from 0 up to but not including 1. */
  random(): number
  /** Resolves after the time, or when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** The real clock and random numbers. */
export const systemClock: ShipClock = {
  now: () => Date.now(),
  random: () => Math.random(),
  async sleep(ms, signal) {
    try {
      await sleep(ms, undefined, { signal })
    } catch {
      // It rejects only when the signal aborts.
    }
  },
}
