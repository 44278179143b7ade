/** Seconds between two reports, however often the store fails and recovers. */
const minPause = 60

/** Reports the failures of a store or service once per outage. */
export class OutageReporter {
  readonly #report: (error: unknown) => void
  readonly #clock: () => number
  #isDown = false
  #reported = -Infinity

  constructor(report: (error: unknown) => void, clock: () => number) {
    this.#report = report
    this.#clock = clock
  }

  failed(error: unknown): void {
    if (this.#isDown) return
    this.#isDown = true
    const now = this.#clock()
    if (now < this.#reported + minPause) return
    this.#reported = now
    this.#report(error)
  }

  recovered(): void {
    this.#isDown = false
  }
}
