/** What listens to an event. A promise is not waited for; its rejection is reported. */
export type Listener<Payload extends readonly unknown[]> = (...payload: Payload) => unknown

/** Receives what a listener threw, with the name of the event. */
export type ListenerFailure = (throwable: unknown, event: string) => void

/**
 * The listeners of one event on one bus. Who emits the same event again and again asks the bus for
 * its channel once, and spares the search.
 */
export class Channel<Payload extends readonly unknown[]> {
  readonly #event: string
  readonly #failed: ListenerFailure
  #entries: readonly Entry<Payload>[] = []

  constructor(event: string, failed: ListenerFailure) {
    this.#event = event
    this.#failed = failed
  }

  /** Whether anyone listens: ask before building a payload, so that an unheard event costs nothing. */
  get listened(): boolean {
    return this.#entries.length !== 0
  }

  /** Adds a listener and returns the function that removes it again. */
  listen(listener: Listener<Payload>, priority = 0): () => void {
    const entry: Entry<Payload> = { listener, priority }
    this.#entries = [...this.#entries, entry].sort((a, b) => b.priority - a.priority)
    return () => {
      this.#entries = this.#entries.filter((other) => other !== entry)
    }
  }

  /** Calls every listener with the payload. Never throws. */
  emit(...payload: Payload): void {
    const entries = this.#entries
    // By position and not by iterator: two events stand on the way of every request.
    for (let at = 0; at < entries.length; at += 1) {
      const entry = entries[at]
      if (entry !== undefined) this.#call(entry.listener, payload)
    }
  }

  #call(listener: Listener<Payload>, payload: Payload): void {
    try {
      const outcome = listener(...payload)
      if (outcome instanceof Promise) {
        outcome.catch((reason: unknown) => this.#failed(reason, this.#event))
      }
    } catch (throwable) {
      this.#failed(throwable, this.#event)
    }
  }
}

interface Entry<Payload extends readonly unknown[]> {
  readonly listener: Listener<Payload>
  readonly priority: number
}
