import { setImmediate } from 'node:timers/promises'

const sliceMs = 5

/**
 * The time that long work may take before it yields to the event loop, which a synchronous database
 * would otherwise block until the end.
 */
export class TimeSlice {
  #endMs = performance.now() + sliceMs

  get isOver(): boolean {
    return performance.now() >= this.#endMs
  }

  /** Yields to the event loop and starts a new slice. */
  async next(): Promise<void> {
    await setImmediate()
    this.#endMs = performance.now() + sliceMs
  }
}
