import { Readable } from 'node:stream'
import { lateModule } from '../../base/late-module.ts'
import type { Feed, FeedSubscription } from '../../broadcast/feed.ts'
import type * as EventText from './event-text.ts'

// Most servers have no event streams.
const loadText = lateModule<typeof EventText>(import.meta, './event-text')

/** Why a stream has ended. */
export const EventStreamEnds = {
  /** The client has disconnected. */
  Client: 'client',
  /** The handler has ended it. */
  Handler: 'handler',
  /** The server stops, or replaces this worker. */
  Drain: 'drain',
  /** It is as old as it may get. */
  Lifetime: 'lifetime',
  /** The client was behind: it read too slowly, or not at all. */
  Slow: 'slow',
} as const
Object.freeze(EventStreamEnds)
export type EventStreamEnds = (typeof EventStreamEnds)[keyof typeof EventStreamEnds]

/** What an event stream is built from. */
export interface EventStreamParts<Events extends object> {
  readonly feed: Feed<Events> | null
  readonly iterable: AsyncIterable<EventText.EventMessage<Events>> | null
  /** The id of the last event that the client has. */
  readonly lastId: string | null
  /** Seconds after which the browser reconnects when the stream has ended. */
  readonly retry: number
  /** Bytes that may wait for a client that does not read. */
  readonly maxBacklog: number
  /** Seconds after which it ends. */
  readonly lifetime: number
  /** Counts the events that are sent. */
  readonly counts: { sent: number }
  /** Called when it begins to send. */
  readonly opened: (stream: OpenStream) => void
  /** Called once when it is over, even if it never began. */
  readonly ended: (stream: OpenStream, reason: EventStreamEnds) => void
}

/** An event stream, whatever its events are. */
export interface OpenStream {
  /** When something was sent last, in monotonic milliseconds. */
  readonly sentMs: number
  /** When it is as old as it may get. */
  readonly untilMs: number
  /** Sends a comment, or the latest id of a feed, if the client reads. */
  beat(): void
  /** Ends it once everything is sent. */
  end(reason: EventStreamEnds): void
  /** Cuts its connection. */
  disconnect(): void
}

/** Server-sent events: the body of a response that stays open. Created by `response.events()`. */
export class EventStream<Events extends object = Record<string, unknown>>
  extends Readable
  implements OpenStream
{
  /** The id of the last event that the client has got from an earlier connection; null for none. */
  readonly lastId: string | null
  sentMs: number = performance.now()
  readonly untilMs: number
  /** Cuts the connection; set by the server. */
  disconnect: () => void = () => {}
  readonly #parts: EventStreamParts<Events>
  /** Bytes that may wait, of which those before it began and those of a replay are no fault of the client. */
  #maxWaiting = Infinity
  #isOpen = false
  #isWanted = false
  #isEnding = false
  #reason: EventStreamEnds = EventStreamEnds.Client
  #subscription: FeedSubscription | null = null
  #id: string | null = null
  #drained: (() => void) | null = null

  constructor(parts: EventStreamParts<Events>) {
    super()
    this.#parts = parts
    this.lastId = parts.lastId
    this.untilMs = this.sentMs + parts.lifetime * 1_000
    // Something is sent at once, so that the browser knows that it is connected.
    this.push(loadText().retryText(parts.retry))
  }

  /**
   * Sends an event; its data becomes JSON. Returns false if the client is behind; if it stays behind, it
   * is disconnected.
   * @throws InvalidArgumentException for a name or an id that would break the stream.
   */
  send<Name extends keyof Events & string>(
    name: Name,
    data: Events[Name],
    { id }: { readonly id?: string } = {},
  ): boolean {
    const text = loadText().eventText(name, data, id ?? null)
    this.#parts.counts.sent += 1
    return this.#add(text)
  }

  /** Sends a comment, which browsers ignore. */
  comment(text: string): boolean {
    return this.#add(loadText().commentText(text))
  }

  /** Ends the stream once everything is sent; browsers then reconnect. */
  end(reason: EventStreamEnds = EventStreamEnds.Handler): void {
    if (this.#isEnding) return
    this.#isEnding = true
    this.#reason = reason
    this.#subscription?.close()
    if (this.#isOpen) this.push(null)
  }

  beat(): void {
    if (!this.#isWanted || this.#isEnding) return
    const id = this.#subscription?.id ?? null
    if (id === null || id === this.#id) this.#add(loadText().heartbeat)
    else {
      this.#id = id
      this.#add(loadText().idText(id))
    }
  }

  override _read(): void {
    if (!this.#isOpen) this.#open()
    this.#isWanted = true
    this.#drained?.()
    this.#drained = null
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#subscription?.close()
    this.#drained?.()
    const isBehind = this.#isOpen && !this.#isWanted && this.#reason === EventStreamEnds.Client
    this.#parts.ended(this, isBehind ? EventStreamEnds.Slow : this.#reason)
    callback(error)
  }

  #open(): void {
    const { feed, iterable, lastId, maxBacklog, counts, opened } = this.#parts
    this.#maxWaiting = maxBacklog + this.readableHighWaterMark + this.readableLength
    if (this.#isEnding) this.push(null)
    this.#isOpen = true
    opened(this)
    if (this.#isEnding) return
    if (iterable !== null) void this.#consume(iterable)
    if (feed === null) return
    const { entryBytes, idText, resetText } = loadText()
    this.#subscription = feed.open(lastId, {
      begin: (id) => {
        this.#id = id
        this.#add(idText(id))
      },
      replay: (entries) => {
        counts.sent += entries.length
        for (const entry of entries) {
          const bytes = entryBytes(entry)
          this.#maxWaiting += bytes.length
          this.#add(bytes)
        }
      },
      send: (entry) => {
        counts.sent += 1
        this.#add(entryBytes(entry))
      },
      reset: (id) => {
        this.#id = id
        this.#add(resetText(id))
      },
    })
  }

  async #consume(iterable: AsyncIterable<EventText.EventMessage<Events>>): Promise<void> {
    const iterator = iterable[Symbol.asyncIterator]()
    this.once('close', () => void iterator.return?.().catch(() => {}))
    try {
      for (;;) {
        const { done, value } = await iterator.next()
        if (this.destroyed || this.#isEnding) return
        if (done === true) return this.end()
        const { name, data, id } = value
        if (this.send(name, data, id === undefined ? {} : { id })) continue
        await new Promise<void>((resolve) => (this.#drained = resolve))
      }
    } catch (thrown) {
      this.destroy(thrown instanceof Error ? thrown : new Error(String(thrown)))
    }
  }

  #add(chunk: Buffer | string): boolean {
    if (this.destroyed || this.#isEnding) return false
    this.sentMs = performance.now()
    this.#isWanted = this.push(chunk)
    if (this.readableLength <= this.#maxWaiting) return this.#isWanted
    this.#isEnding = true
    this.#reason = EventStreamEnds.Slow
    this.disconnect()
    return false
  }
}
