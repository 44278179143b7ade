import { formatPosition, parsePosition, comparePositions } from './position.ts'
import type { Position } from './position.ts'
import type { BroadcastEntry } from './broadcast-entry.ts'
import type { FeedSink, FeedSubscription } from './feed.ts'
import type { History } from './history.ts'

/** Where a subscription is registered. */
export interface SubscriptionHost {
  readonly history: History
  leave(subscription: BroadcastSubscription): void
}

/** One sink of one or several channels, and how far it has got. */
export class BroadcastSubscription implements FeedSubscription {
  readonly channels: readonly string[]
  readonly #host: SubscriptionHost
  readonly #sink: FeedSink
  /** Everything up to here was passed on, or came before it; null until it has begun. */
  #position: Position | null = null

  constructor(host: SubscriptionHost, channels: readonly string[], sink: FeedSink) {
    this.#host = host
    this.channels = channels
    this.#sink = sink
  }

  get id(): string | null {
    if (this.#position === null) return null
    const { position } = this.#host.history
    // A client that came from another process may know more than this one.
    const isAhead = comparePositions(this.#position, position) > 0
    return formatPosition(isAhead ? this.#position : position)
  }

  /** Begins after the event with this id, or now. */
  begin(lastId: string | null): void {
    const { history } = this.#host
    const last = lastId === null ? history.position : parsePosition(lastId)
    const missed = last === null ? null : history.after(last)
    if (last === null || missed === null) return this.reset()
    this.#position = last
    this.#sink.begin(formatPosition(last))
    const entries = missed.filter(({ channel }) => this.channels.includes(channel))
    if (entries.length > 0) this.#sink.replay(entries)
  }

  /** Passes on an event, unless the client knows it from another process. */
  receive(entry: BroadcastEntry): void {
    if (this.#position === null || comparePositions(entry.position, this.#position) <= 0) return
    this.#sink.send(entry)
  }

  /** Goes on from now, after a gap. */
  reset(): void {
    this.#position = this.#host.history.position
    this.#sink.reset(formatPosition(this.#position))
  }

  close(): void {
    this.#host.leave(this)
  }
}
