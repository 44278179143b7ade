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

/** Waiting events are sent together, up to this size. */
const maxChunk = 65_536

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
  /** Chunks that wait: first what was there when it began, then `#queue`, of which `#backlog` is the size. */
  #first: readonly Buffer[] = []
  #queue: Buffer[] = []
  #backlog = 0
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
    return this.#add(Buffer.from(text))
  }

  /** Sends a comment, which browsers ignore. */
  comment(text: string): boolean {
    return this.#add(Buffer.from(loadText().commentText(text)))
  }

  /** Ends the stream once everything is sent; browsers then reconnect. */
  end(reason: EventStreamEnds = EventStreamEnds.Handler): void {
    if (this.#isEnding) return
    this.#isEnding = true
    this.#reason = reason
    this.#subscription?.close()
    this.#flush()
  }

  beat(): void {
    if (!this.#isWanted || this.#isEnding) return
    const id = this.#subscription?.id ?? null
    if (id === null || id === this.#id) this.#add(loadText().heartbeat)
    else {
      this.#id = id
      this.#add(Buffer.from(loadText().idText(id)))
    }
  }

  override _read(): void {
    if (!this.#isOpen) this.#open()
    this.#isWanted = true
    this.#flush()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#subscription?.close()
    this.#drained?.()
    this.#queue = []
    this.#first = []
    const isBehind = this.#isOpen && !this.#isWanted && this.#reason === EventStreamEnds.Client
    this.#parts.ended(this, isBehind ? EventStreamEnds.Slow : this.#reason)
    callback(error)
  }

  #open(): void {
    this.#isOpen = true
    const { feed, iterable, lastId, retry } = this.#parts
    // Something is sent at once, so that the browser knows that it is connected.
    this.#first = [Buffer.from(loadText().retryText(retry)), ...this.#queue]
    this.#queue = []
    this.#backlog = 0
    this.#parts.opened(this)
    if (this.#isEnding) return
    if (iterable !== null) void this.#consume(iterable)
    if (feed === null) return
    this.#subscription = feed.open(lastId, {
      begin: (id) => {
        this.#id = id
        this.#first = [...this.#first, Buffer.from(loadText().idText(id))]
        this.#flush()
      },
      replay: (entries) => {
        this.#parts.counts.sent += entries.length
        this.#first = [...this.#first, ...entries.map((entry) => loadText().entryBytes(entry))]
        this.#flush()
      },
      send: (entry) => {
        this.#parts.counts.sent += 1
        this.#add(loadText().entryBytes(entry))
      },
      reset: (id) => {
        this.#id = id
        this.#add(Buffer.from(loadText().resetText(id)))
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

  #add(chunk: Buffer): boolean {
    if (this.destroyed || this.#isEnding) return false
    this.#queue.push(chunk)
    this.#backlog += chunk.length
    this.#flush()
    if (!this.#isOpen || this.#backlog <= this.#parts.maxBacklog) return this.#isWanted
    this.#isEnding = true
    this.#reason = EventStreamEnds.Slow
    this.#queue = []
    this.disconnect()
    return false
  }

  #flush(): void {
    while (this.#isWanted && !this.destroyed) {
      const chunk = this.#take()
      if (chunk === null) break
      this.sentMs = performance.now()
      this.#isWanted = this.push(chunk)
    }
    if (this.#first.length > 0 || this.#queue.length > 0) return
    if (this.#isEnding) return void this.push(null)
    if (!this.#isWanted) return
    this.#drained?.()
    this.#drained = null
  }

  #take(): Buffer | null {
    if (this.#first.length > 0) {
      const [chunk, rest] = joined(this.#first)
      this.#first = rest
      return chunk
    }
    if (this.#queue.length === 0) return null
    const [chunk, rest] = joined(this.#queue)
    this.#queue = rest
    this.#backlog -= chunk.length
    return chunk
  }
}

/** The first chunks as one, and the others. */
function joined(chunks: readonly Buffer[]): [Buffer, Buffer[]] {
  const [only] = chunks
  if (chunks.length === 1 && only !== undefined) return [only, []]
  let bytes = 0
  const beyond = chunks.findIndex((chunk) => (bytes += chunk.length) > maxChunk)
  const count = beyond === -1 ? chunks.length : Math.max(1, beyond)
  return [Buffer.concat(chunks.slice(0, count)), chunks.slice(count)]
}
