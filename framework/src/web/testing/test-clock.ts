import { InvalidArgumentException } from '../../base/errors.ts'
import { epochSeconds, shiftClock } from '../../base/time/epoch-seconds.ts'

/** Moves the clock of the process for one project under test. */
export class TestClock {
  #moved = 0

  /** Epoch seconds, with all travels. */
  now(): number {
    return epochSeconds()
  }

  /** @throws InvalidArgumentException unless it is a number of seconds. */
  travel(seconds: number): void {
    if (!Number.isFinite(seconds)) {
      const reason = `travel() takes a number of seconds, got ${seconds}`
      throw new InvalidArgumentException('E_INVALID_ARGUMENT', reason)
    }
    shiftClock(seconds)
    this.#moved += seconds
  }

  /** Comes back to the present. */
  return(): void {
    shiftClock(-this.#moved)
    this.#moved = 0
  }
}
