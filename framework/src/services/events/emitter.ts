import { Throwables } from '../../base/debugging/throwables.ts'
import type { Event, PayloadOf } from './event.ts'

/** What listens to an event. A promise is not waited for; its rejection is reported. */
export type Listener<Payload extends readonly unknown[]> = (...payload: Payload) => unknown

/** Receives what a listener threw, with the name of the event. */
export type ListenerFailure = (throwable: unknown, event: string) => void

/**
 * A typed event bus. Listeners run in order of priority (higher first), then of registration.
 * A listener that throws or rejects is isolated: it is reported and the others still run.
 */
export class Emitter {
  /** The shared bus; nothing in the framework requires it, everything takes its own as an option. */
  static Instance: Emitter = new Emitter()

  readonly #listeners = new Map<Event<readonly unknown[]>, unknown>()
  readonly #failed: ListenerFailure

  constructor(failed: ListenerFailure = reportListener) {
    this.#failed = failed
  }

  /** Adds a listener and returns the function that removes it again. */
  listen<E extends Event<readonly unknown[]>>(
    event: E,
    listener: Listener<PayloadOf<E>>,
    priority = 0,
  ): () => void {
    const entry: Entry<PayloadOf<E>> = { listener, priority }
    const entries = [...this.#entries<PayloadOf<E>>(event), entry].sort(
      (a, b) => b.priority - a.priority,
    )
    this.#listeners.set(event, entries)
    return () => {
      const rest = this.#entries<PayloadOf<E>>(event).filter((other) => other !== entry)
      if (rest.length === 0) this.#listeners.delete(event)
      else this.#listeners.set(event, rest)
    }
  }

  /** Whether anyone listens: ask before building a payload, so that an unheard event costs nothing. */
  listened(event: Event<readonly unknown[]>): boolean {
    return this.#listeners.size !== 0 && this.#listeners.has(event)
  }

  /** Calls every listener with the payload. Never throws. */
  emit<E extends Event<readonly unknown[]>>(event: E, ...payload: PayloadOf<E>): void {
    const entries = this.#listeners.get(event)
    if (!isPresent<PayloadOf<E>>(entries)) return
    // By position and not by iterator: two events stand on the way of every request.
    for (let at = 0; at < entries.length; at += 1) {
      const entry = entries[at]
      if (entry !== undefined) this.#call(entry.listener, event, payload)
    }
  }

  #call<Payload extends readonly unknown[]>(
    listener: Listener<Payload>,
    event: Event<readonly unknown[]>,
    payload: Payload,
  ): void {
    try {
      const outcome = listener(...payload)
      if (outcome instanceof Promise) {
        outcome.catch((reason: unknown) => this.#failed(reason, event.name))
      }
    } catch (throwable) {
      this.#failed(throwable, event.name)
    }
  }

  #entries<Payload extends readonly unknown[]>(
    event: Event<readonly unknown[]>,
  ): readonly Entry<Payload>[] {
    const entries = this.#listeners.get(event)
    return isPresent<Payload>(entries) ? entries : []
  }
}

interface Entry<Payload extends readonly unknown[]> {
  readonly listener: Listener<Payload>
  readonly priority: number
}

// The map is written only by `listen`, under the event that typed the listener.
function isPresent<Payload extends readonly unknown[]>(
  entries: unknown,
): entries is readonly Entry<Payload>[] {
  return entries !== undefined
}

function reportListener(throwable: unknown, event: string): void {
  Throwables.notify(throwable, { event })
}
