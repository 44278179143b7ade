/** Seconds that pass between two reports, however often a store comes and goes. */
const minPause = 60

/** Tells of the failures of a store once for each time it is away. */
export class Outage {
  readonly #report: (error: unknown) => void
  readonly #clock: () => number
  #isOn = false
  #reported = -Infinity

  constructor(report: (error: unknown) => void, clock: () => number) {
    this.#report = report
    this.#clock = clock
  }

  /** The store failed. */
  begin(error: unknown): void {
    if (this.#isOn) return
    this.#isOn = true
    const now = this.#clock()
    if (now < this.#reported + minPause) return
    this.#reported = now
    this.#report(error)
  }

  /** The store answered. */
  end(): void {
    this.#isOn = false
  }
}
