/** A wait that ends early when something happens, also when it happened before the wait began. */
export class Wakeup {
  #pending = false
  #waiting: (() => void) | null = null

  /** Ends the wait under way, or the next one before it begins. */
  wake(): void {
    this.#pending = true
    this.#waiting?.()
  }

  /** Resolves after so many milliseconds, or when woken. */
  async wait(ms: number): Promise<void> {
    if (!this.#pending) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, ms)
      this.#waiting = resolve
      await promise
      clearTimeout(timer)
      this.#waiting = null
    }
    this.#pending = false
  }
}
