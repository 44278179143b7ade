import { settledWithin } from './settled-within.ts'

/** Asynchronous reporters that are still running. */
export class PendingReports {
  readonly #waiting = new Set<Promise<unknown>>()

  /** Whether any is still running. */
  get some(): boolean {
    return this.#waiting.size > 0
  }

  /** Tracks a report until it has settled; a rejection is ignored. */
  add(report: Promise<unknown>): void {
    const forget = (): void => void this.#waiting.delete(report)
    this.#waiting.add(report)
    report.then(forget, forget)
  }

  /** Resolves when all have settled, including new ones, or when the time is up. */
  async settled(withinMs: number): Promise<void> {
    const endMs = performance.now() + withinMs
    while (this.some && performance.now() < endMs) {
      await settledWithin(Promise.allSettled(this.#waiting), endMs - performance.now())
    }
  }
}
