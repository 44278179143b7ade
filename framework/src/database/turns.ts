/** Runs work one after the other, in the order of the calls. */
export class Turns {
  #last: Promise<void> = Promise.resolve()
  #current: Promise<void> = Promise.resolve()
  #waiting = 0

  /** Whether nothing runs and nothing waits. */
  get isFree(): boolean {
    return this.#waiting === 0
  }

  /** Runs `work` when its turn comes, immediately if that is now. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    const before = this.isFree ? null : this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    this.#waiting += 1
    try {
      if (before !== null) await before
      this.#current = promise
      return await work()
    } finally {
      this.#waiting -= 1
      resolve()
    }
  }

  /** Resolves when the work whose turn it is has ended. */
  currentEnded(): Promise<void> {
    return this.#current
  }
}
