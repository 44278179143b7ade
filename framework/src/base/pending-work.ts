/** Promises that have not settled yet. */
export class PendingWork {
  readonly #running = new Set<Promise<unknown>>()

  /** Whether any is pending. */
  get some(): boolean {
    return this.#running.size > 0
  }

  /** Tracks a promise until it settles, and returns it. */
  add<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work)
    const forget = (): void => void this.#running.delete(work)
    work.then(forget, forget)
    return work
  }

  /** Resolves when nothing is pending, not even what was added meanwhile. */
  async finished(): Promise<void> {
    while (this.some) await Promise.allSettled(this.#running)
  }
}

/** Resolves with true when the work is done, with false when the time is up: it then goes on by itself. */
export function settledWithin(work: Promise<unknown>, withinMs: number): Promise<boolean> {
  const { promise: timeUp, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, withinMs, false)
  return Promise.race([work.then(() => true), timeUp]).finally(() => clearTimeout(timer))
}
