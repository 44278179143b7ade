import { invalidArgument } from '../base/errors.ts'
import { shiftClock } from '../base/time/epoch-seconds.ts'

interface Travel {
  readonly seconds: number
}

/** Moves the clock of the process for one project under test. */
export class TestClock {
  readonly #travels = new Set<Travel>()

  /**
   * Returns a function that takes it back.
   * @throws InvalidArgumentException unless it is a number of seconds.
   */
  travel(seconds: number): () => void {
    if (!Number.isFinite(seconds)) {
      const reason = `travel() takes a number of seconds, got ${seconds}`
      throw invalidArgument(reason)
    }
    const travel = { seconds }
    this.#travels.add(travel)
    shiftClock(seconds)
    return () => this.#undo(travel)
  }

  /** Comes back to the present. */
  return(): void {
    for (const travel of this.#travels) this.#undo(travel)
  }

  #undo(travel: Travel): void {
    if (this.#travels.delete(travel)) shiftClock(-travel.seconds)
  }
}
