/** Promises that have not settled yet. */
export class PendingWork {
  readonly #running = new Set<Promise<unknown>>()

  /** Tracks a promise until it settles, and returns it. */
  add<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work)
    const remove = (): void => void this.#running.delete(work)
    work.then(remove, remove)
    return work
  }

  /** Resolves when nothing is pending. */
  async finished(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }
}
