import { ConfigurationError, invalidArgument } from '../base/errors.ts'
import { findOtherClock, shiftClock } from '../base/time/epoch-seconds.ts'

/** Moves the clock of the process for one project under test. */
export class TestClock {
  readonly #undos = new Set<() => void>()

  /**
   * Returns a function that takes it back.
   * @throws InvalidArgumentException unless it is a number of seconds, ConfigurationError while something
   *   is connected to Redis, where time would go on as before.
   */
  travel(seconds: number): () => void {
    if (!Number.isFinite(seconds)) {
      throw invalidArgument(`travel() takes a number of seconds, got ${seconds}`)
    }
    const other = findOtherClock()
    if (other !== null) {
      throw new ConfigurationError(
        'E_TEST_CLOCK',
        `travel() cannot move the clock of ${other}; start the project with stores that follow, such as env: { REDIS_URL: '' }`,
      )
    }
    shiftClock(seconds)
    const undo = (): void => {
      if (this.#undos.delete(undo)) shiftClock(-seconds)
    }
    this.#undos.add(undo)
    return undo
  }

  /** Comes back to the present. */
  return(): void {
    for (const undo of this.#undos) undo()
  }
}
