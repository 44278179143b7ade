import { setImmediate } from 'node:timers/promises'

const sliceMs = 5

/**
 * The time that long work may take before everything else in the process has its turn: a database
 * that answers at once would keep it from that until the end.
 */
export class TimeSlice {
  #endMs = performance.now() + sliceMs

  get isOver(): boolean {
    return performance.now() >= this.#endMs
  }

  /** Resolves in the next turn of the event loop, with a new slice. */
  async next(): Promise<void> {
    await setImmediate()
    this.#endMs = performance.now() + sliceMs
  }
}
