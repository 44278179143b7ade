import { Throwables } from '../errors/throwables/throwables.ts'

/**
 * Identifies one kind of event. The type parameter is the tuple of values its listeners receive; it
 * exists only at compile time.
 */
export interface Event<Payload extends readonly unknown[]> {
  readonly name: string
  readonly payload?: Payload
}

/** Declares an event: `const Failed = event<[Error]>('app.failed')`. Equal names are not the same event. */
export function event<Payload extends readonly unknown[]>(name: string): Event<Payload> {
  return Object.freeze({ name })
}

/** The values that listeners of an event receive. */
export type PayloadOf<E extends Event<readonly unknown[]>> =
  E extends Event<infer Payload> ? Payload : never

/** Handles an event. A returned promise is not awaited, but its rejection is reported. */
export type Listener<Payload extends readonly unknown[]> = (...payload: Payload) => unknown

/** Receives the errors of listeners, with the name of the event. */
export type ListenerFailure = (throwable: unknown, event: string) => void

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
