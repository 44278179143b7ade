import { setTimeout as sleep } from 'node:timers/promises'
import type { Throwables } from '../errors/throwables/throwables.ts'

const firstPauseMs = 50
const maxPauseMs = 2_000

/** The attempts to reach a log that is down: reported once, and made at growing intervals. */
export class Outage {
  readonly #throwables: Throwables
  #failures = 0

  constructor(throwables: Throwables) {
    this.#throwables = throwables
  }

  /** Whether the last attempt failed. */
  get isOn(): boolean {
    return this.#failures > 0
  }

  /** The log was reached. */
  end(): void {
    this.#failures = 0
  }

  /** Reports the first failure, and resolves when it is time for the next attempt. */
  async pause(thrown: unknown): Promise<void> {
    if (this.#failures === 0) this.#throwables.notify(thrown, { origin: 'broadcast' })
    const maxMs = Math.min(maxPauseMs, firstPauseMs * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 10)
    // Random, so that all processes do not come back at one moment.
    await sleep(maxMs / 2 + (Math.random() * maxMs) / 2, undefined, { ref: false })
  }
}
