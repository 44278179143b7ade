/** Limits concurrency. Callers beyond the limit wait in order, until their signal aborts. */
export class Semaphore {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(permits: number) {
    this.#free = permits
  }

  /** Resolves when a permit is free; rejects with the signal's reason if it aborts first. */
  async acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    const { promise, resolve: enter, reject } = Promise.withResolvers<void>()
    const abort = (): void => {
      this.#waiting.delete(enter)
      reject(signal.reason)
    }
    this.#waiting.add(enter)
    signal.addEventListener('abort', abort, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', abort))
  }

  /** Returns a permit, which goes to the caller that has waited longest. */
  release(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#free += 1
    else {
      this.#waiting.delete(next)
      next()
    }
  }
}
