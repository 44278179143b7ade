import { Throwables } from '../../base/throwables/throwables.ts'
import { EventChannel } from './event-channel.ts'
import type { Listener, ListenerFailure } from './event-channel.ts'
import type { Event, PayloadOf } from './event.ts'

/**
 * A typed event bus. Listeners run in order of priority (higher first), then of registration.
 * A listener that throws or rejects is isolated: it is reported and the others still run.
 */
export class Emitter {
  /** The shared bus; nothing in the framework requires it, everything takes its own as an option. */
  static Instance: Emitter = new Emitter()

  readonly #channels = new WeakMap<Event<readonly unknown[]>, unknown>()
  readonly #failed: ListenerFailure

  constructor(failed: ListenerFailure = reportListener) {
    this.#failed = failed
  }

  /** The listeners of one event, for whoever emits it often. */
  channel<E extends Event<readonly unknown[]>>(event: E): EventChannel<PayloadOf<E>> {
    // Only this method writes the map, and puts a channel under the event that gives it its type.
    const present = this.#channels.get(event) as EventChannel<PayloadOf<E>> | undefined
    if (present !== undefined) return present
    const channel = new EventChannel<PayloadOf<E>>(event.name, this.#failed)
    this.#channels.set(event, channel)
    return channel
  }

  /** Adds a listener and returns the function that removes it again. */
  listen<E extends Event<readonly unknown[]>>(
    event: E,
    listener: Listener<PayloadOf<E>>,
    priority = 0,
  ): () => void {
    return this.channel(event).listen(listener, priority)
  }

  /** Whether anyone listens: ask before building a payload, so that an unheard event costs nothing. */
  listened(event: Event<readonly unknown[]>): boolean {
    return this.channel(event).listened
  }

  /** Calls every listener with the payload. Never throws. */
  emit<E extends Event<readonly unknown[]>>(event: E, ...payload: PayloadOf<E>): void {
    this.channel(event).emit(...payload)
  }
}

function reportListener(throwable: unknown, event: string): void {
  Throwables.notify(throwable, { event })
}
