/** Work that has begun and not ended. */
export class UnderWay {
  readonly #running = new Set<Promise<unknown>>()

  /** Counts the work until it has ended, well or badly, and gives it back. */
  add<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work)
    const remove = (): void => void this.#running.delete(work)
    work.then(remove, remove)
    return work
  }

  /** Resolves when nothing is under way. */
  async finished(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }
}
