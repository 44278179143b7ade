import { invalidArgument } from '../../base/errors.ts'
import { CurrentWork } from '../../activity/current-work.ts'
import type { Feed } from '../../broadcast/feed.ts'
import { HttpError } from '../errors/http-error.ts'
import { lateModule } from '../../base/late-module.ts'
import type * as Network from '../../base/network.ts'
import type { Limits } from '../server/engine/limits.ts'
import { EventStream, EventStreamEnds } from './event-stream.ts'
import type { OpenStream } from './event-stream.ts'
import type * as Metrics from './event-stream-metrics.ts'
import type { EventMessage } from './event-text.ts'

// Most servers have no event streams.
const loadNetwork = lateModule<typeof Network>(import.meta, '../../base/network')
const loadMetrics = lateModule<typeof Metrics>(import.meta, './event-stream-metrics')

/** Where the events of a stream come from. */
export type EventsSource<Events extends object> = Feed<Events> | AsyncIterable<EventMessage<Events>>

/** Options of `response.events`. */
export interface EventsOptions {
  /**
   * The id after which a feed begins for a client that has none yet: `broadcast.position()` at the time
   * the page was made.
   * @default now
   */
  readonly after?: string | null | undefined
  /** Seconds after which the browser reconnects when the stream has ended. @default 1 to 3, at random */
  readonly retry?: number
  /**
   * Seconds after which the stream ends and the browser reconnects, so that guards check again who it is.
   * @default 3600
   */
  readonly lifetime?: number
}

/** The limits of event streams. */
export interface EventStreamLimits extends Pick<Limits, 'eventBacklog'> {
  /** Open at once in this process; 0 for no limit. */
  readonly eventStreams: number
  /** Open at once in this process for one client, see `peerCounters`; 0 for no limit. */
  readonly eventStreamsPerPeer: number
  /** Seconds of silence after which a stream sends a comment. */
  readonly eventHeartbeat: number
}

/** Who asks for a stream. */
export interface EventsClient {
  readonly peer: string
  /** HEAD gets the headers only, and no place. */
  readonly method: string
  readonly lastId: string | null
}

const maxTickMs = 1_000
/** How long a stream that has ended may take to reach its client. */
const graceMs = 1_000
const defaultLifetime = 3_600

/** The event streams of a server: how many there are, their heartbeat, and their end. */
export class EventStreams {
  readonly #limits: EventStreamLimits
  readonly #isMeasured: boolean
  readonly #open = new Set<OpenStream>()
  /** Places taken by address and network; that of a stream is taken before it opens. */
  readonly #places = new Map<string, number>()
  readonly #counts: Metrics.EventStreamCounts = {
    open: 0,
    sent: 0,
    refused: { process: 0, peer: 0 },
    ended: { client: 0, handler: 0, drain: 0, lifetime: 0, slow: 0 },
  }
  #taken = 0
  #timer: NodeJS.Timeout | null = null
  #stopMeasuring: (() => void) | null = null
  #isDraining = false

  /** Without `isMeasured` they are not in the metrics of the process. */
  constructor(
    limits: EventStreamLimits,
    { isMeasured = true }: { readonly isMeasured?: boolean } = {},
  ) {
    this.#limits = limits
    this.#isMeasured = isMeasured
  }

  /**
   * Creates a stream for a client.
   * @throws HttpError 503 or 429 if there are too many.
   */
  create<Events extends object>(
    client: EventsClient,
    source: EventsSource<Events> | null,
    options: EventsOptions = {},
  ): EventStream<Events> {
    const { retry = 1 + Math.random() * 2, lifetime = defaultLifetime, after = null } = options
    checkSeconds('retry', retry)
    checkSeconds('lifetime', lifetime)
    if (this.#isMeasured) {
      this.#stopMeasuring ??= loadMetrics().measureEventStreams(this.#counts)
    }
    const release = client.method === 'HEAD' ? (): void => {} : this.#takePlace(client.peer)
    const isIterable = source !== null && Symbol.asyncIterator in source
    return new EventStream<Events>({
      feed: source === null || isIterable ? null : source,
      iterable: isIterable ? source : null,
      lastId: client.lastId ?? after,
      retry,
      // Those that connect at the same moment, after a restart, do not end at the same moment.
      lifetime: lifetime * (0.9 + Math.random() * 0.1),
      maxBacklog: this.#limits.eventBacklog,
      counts: this.#counts,
      opened: (stream) => this.#opened(stream),
      ended: (stream, reason) => {
        release()
        this.#ended(stream, reason)
      },
    })
  }

  /**
   * Ends all streams, and from now on each new one as soon as it has begun: browsers reconnect elsewhere.
   * What a client has not read a second later it gets there.
   */
  drain(): void {
    this.#isDraining = true
    this.#endAll()
  }

  /** Ends all streams of a server that has closed. */
  close(): void {
    this.#endAll()
    this.#stopTimer()
    this.#stopMeasuring?.()
    this.#stopMeasuring = null
  }

  #endAll(): void {
    const open = [...this.#open]
    for (const stream of open) stream.end(EventStreamEnds.Drain)
    const cut = (): void => {
      for (const stream of open) stream.disconnect()
    }
    if (open.length > 0) setTimeout(cut, graceMs).unref()
  }

  #takePlace(peer: string): () => void {
    const { eventStreams, eventStreamsPerPeer } = this.#limits
    const headers = { 'Retry-After': '10' }
    if (eventStreams > 0 && this.#taken >= eventStreams) {
      this.#counts.refused.process += 1
      throw new HttpError(503, 'too many event streams are open', { headers })
    }
    const counters = loadNetwork().peerCounters(peer)
    const isFull = counters.some(
      ({ key, times }) => (this.#places.get(key) ?? 0) >= times * eventStreamsPerPeer,
    )
    if (eventStreamsPerPeer > 0 && isFull) {
      this.#counts.refused.peer += 1
      throw new HttpError(429, 'too many event streams of one client are open', { headers })
    }
    this.#taken += 1
    for (const { key } of counters) this.#places.set(key, (this.#places.get(key) ?? 0) + 1)
    return () => {
      this.#taken -= 1
      for (const { key } of counters) this.#givePlace(key)
    }
  }

  #givePlace(key: string): void {
    const places = (this.#places.get(key) ?? 1) - 1
    if (places === 0) this.#places.delete(key)
    else this.#places.set(key, places)
  }

  #opened(stream: OpenStream): void {
    this.#open.add(stream)
    this.#counts.open += 1
    if (this.#isDraining) stream.end(EventStreamEnds.Drain)
    else this.#timer ??= this.#startTimer()
  }

  #ended(stream: OpenStream, reason: EventStreamEnds): void {
    if (!this.#open.delete(stream)) return
    this.#counts.open -= 1
    this.#counts.ended[reason] += 1
    if (this.#open.size === 0) this.#stopTimer()
  }

  // One timer for all: each stream is due when it has been silent for the interval.
  #startTimer(): NodeJS.Timeout {
    const intervalMs = this.#limits.eventHeartbeat * 1_000
    const tickMs = Math.min(maxTickMs, intervalMs / 4)
    const tick = (): void => {
      const nowMs = performance.now()
      for (const stream of this.#open) {
        if (nowMs >= stream.untilMs) stream.end(EventStreamEnds.Lifetime)
        else if (nowMs - stream.sentMs >= intervalMs) stream.beat()
      }
    }
    // It outlives the request that starts it.
    return CurrentWork.runOutside(() => setInterval(tick, tickMs).unref())
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }
}

function checkSeconds(name: string, value: number): void {
  if (Number.isFinite(value) && value >= 0) return
  throw invalidArgument(
    `the option "${name}" of response.events must be seconds of zero or more, got ${String(value)}`,
  )
}
