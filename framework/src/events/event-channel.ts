/** Handles an event. A returned promise is not awaited, but its rejection is reported. */
export type Listener<Payload extends readonly unknown[]> = (...payload: Payload) => unknown

/** Receives the errors of listeners, with the name of the event. */
export type ListenerFailure = (throwable: unknown, event: string) => void

/**
 * The listeners of one event on one bus. Code that emits the same event often can look up its
 * channel once.
 */
export class EventChannel<Payload extends readonly unknown[]> {
  readonly #event: string
  readonly #failed: ListenerFailure
  #entries: readonly Entry<Payload>[] = []
  #listeners: readonly Listener<Payload>[] = []

  constructor(event: string, failed: ListenerFailure) {
    this.#event = event
    this.#failed = failed
  }

  /** The listeners, in the order they are called. */
  get listeners(): readonly Listener<Payload>[] {
    return this.#listeners
  }

  /** Whether there are listeners; check it before building an expensive payload. */
  get hasListeners(): boolean {
    return this.#listeners.length !== 0
  }

  /** Adds a listener. Returns a function that removes it. */
  listen(listener: Listener<Payload>, priority = 0): () => void {
    const entry: Entry<Payload> = { listener, priority }
    this.#replace([...this.#entries, entry].sort((a, b) => b.priority - a.priority))
    return () => this.#replace(this.#entries.filter((other) => other !== entry))
  }

  /** Calls every listener with the payload. Never throws. */
  emit(...payload: Payload): void {
    for (const listener of this.#listeners) {
      try {
        this.follow(listener(...payload))
      } catch (throwable) {
        this.fail(throwable)
      }
    }
  }

  /** Reports the rejection of a promise that a listener returned. */
  follow(outcome: unknown): void {
    if (outcome instanceof Promise) outcome.catch((reason: unknown) => this.fail(reason))
  }

  /** Reports what a listener threw. */
  fail(throwable: unknown): void {
    this.#failed(throwable, this.#event)
  }

  #replace(entries: readonly Entry<Payload>[]): void {
    this.#entries = entries
    this.#listeners = entries.map(({ listener }) => listener)
  }
}

interface Entry<Payload extends readonly unknown[]> {
  readonly listener: Listener<Payload>
  readonly priority: number
}
