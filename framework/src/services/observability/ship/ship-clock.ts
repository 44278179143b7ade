import { setTimeout as sleep } from 'node:timers/promises'

/** Time and chance, as far as shipping depends on them. */
export interface ShipClock {
  /** Epoch milliseconds. */
  now(): number
  /** A number from 0 to 1, never 1 itself. */
  random(): number
  /** Resolves after the time, or as soon as the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** The clock and the dice of this machine. */
export const systemClock: ShipClock = {
  now: () => Date.now(),
  random: () => Math.random(),
  async sleep(ms, signal) {
    try {
      await sleep(ms, undefined, { signal })
    } catch {
      // It rejects only when the signal fires, which is an end of the wait like any other.
    }
  },
}
