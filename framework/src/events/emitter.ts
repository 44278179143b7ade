import { Throwables } from '../errors/throwables/throwables.ts'
import { EventChannel } from './event-channel.ts'
import type { Listener, ListenerFailure } from './event-channel.ts'
import type { Event, PayloadOf } from './event.ts'

/**
 * A typed event bus. Listeners run in order of priority (higher first), then of registration.
 * When a listener throws or rejects, the error is reported and the other listeners still run.
 */
export class Emitter {
  /** The shared bus. The framework does not require it: every part takes its own as an option. */
  static Instance: Emitter = new Emitter()

  readonly #channels = new WeakMap<Event<readonly unknown[]>, unknown>()
  readonly #failed: ListenerFailure

  constructor(failed: ListenerFailure = reportListener) {
    this.#failed = failed
  }

  /** The listeners of one event, for code that emits it often. */
  channel<E extends Event<readonly unknown[]>>(event: E): EventChannel<PayloadOf<E>> {
    // Only this method writes to the map, and it stores each channel under the event of its type.
    const existing = this.#channels.get(event) as EventChannel<PayloadOf<E>> | undefined
    if (existing !== undefined) return existing
    const channel = new EventChannel<PayloadOf<E>>(event.name, this.#failed)
    this.#channels.set(event, channel)
    return channel
  }

  /** Adds a listener. Returns a function that removes it. */
  listen<E extends Event<readonly unknown[]>>(
    event: E,
    listener: Listener<PayloadOf<E>>,
    priority = 0,
  ): () => void {
    return this.channel(event).listen(listener, priority)
  }

  /** Whether the event has listeners; check it before building an expensive payload. */
  hasListeners(event: Event<readonly unknown[]>): boolean {
    return this.channel(event).hasListeners
  }

  /** Calls every listener with the payload. Never throws. */
  emit<E extends Event<readonly unknown[]>>(event: E, ...payload: PayloadOf<E>): void {
    this.channel(event).emit(...payload)
  }
}

function reportListener(throwable: unknown, event: string): void {
  Throwables.notify(throwable, { event })
}
