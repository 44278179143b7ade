import { Scopes } from '../activity/scopes.ts'

/** How long spans are kept back for the end of their root; up to twice of that. */
const timeoutMs = 1_000

/** Something that holds spans back. Those that do are linked: a set of them would cost more than the spans. */
export abstract class Holder {
  /** For `HeldTraces` only. */
  before: Holder | null = null
  /** For `HeldTraces` only. */
  after: Holder | null = null
  /** For `HeldTraces` only: in which period it began to hold. */
  period = 0

  /** Lets the spans go. */
  abstract release(): void
}

/**
 * Traces whose spans wait for the end of the root. It may never come, and who looks for what hangs needs the
 * spans: they do not wait for long.
 */
export class HeldTraces {
  #oldest: Holder | null = null
  #newest: Holder | null = null
  #period = 0
  #timer: NodeJS.Timeout | null = null

  add(trace: Holder): void {
    trace.period = this.#period
    trace.before = this.#newest
    if (this.#newest === null) this.#oldest = trace
    else this.#newest.after = trace
    this.#newest = trace
    if (this.#timer === null) this.#watch()
  }

  delete(trace: Holder): void {
    const { before, after } = trace
    if (before !== null) before.after = after
    else if (this.#oldest === trace) this.#oldest = after
    if (after !== null) after.before = before
    else if (this.#newest === trace) this.#newest = before
    trace.before = null
    trace.after = null
  }

  /** Releases all of them. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#releaseUntil(this.#period)
  }

  #watch(): void {
    this.#timer = Scopes.runOutside(() => setTimeout(() => this.#look(), timeoutMs)).unref()
  }

  #look(): void {
    this.#timer = null
    this.#releaseUntil(this.#period - 1)
    this.#period += 1
    if (this.#oldest !== null) this.#watch()
  }

  #releaseUntil(period: number): void {
    while (this.#oldest !== null && this.#oldest.period <= period) {
      const trace = this.#oldest
      this.delete(trace)
      trace.release()
    }
  }
}
