/** What listens to an event. A promise is not waited for; its rejection is reported. */
export type Listener<Payload extends readonly unknown[]> = (...payload: Payload) => unknown

/** Receives what a listener threw, with the name of the event. */
export type ListenerFailure = (throwable: unknown, event: string) => void

/**
 * The listeners of one event on one bus. Who emits the same event again and again asks the bus for
 * its channel once, and spares the search.
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

  /** Those who listen, in the order they are called in. */
  get listeners(): readonly Listener<Payload>[] {
    return this.#listeners
  }

  /** Whether anyone listens: ask before building a payload, so that an unheard event costs nothing. */
  get listened(): boolean {
    return this.#listeners.length !== 0
  }

  /** Adds a listener and returns the function that removes it again. */
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

  /** Watches what a listener gave back: a promise that is rejected is reported. */
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
