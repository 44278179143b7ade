/** A wait that can be ended early, even by a wake-up before it starts. */
export class Wakeup {
  #pending = false
  #waiting: (() => void) | null = null

  /** Ends the current wait, or the next one immediately. */
  wake(): void {
    this.#pending = true
    this.#waiting?.()
  }

  /** Resolves after this many milliseconds, or when woken. */
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
