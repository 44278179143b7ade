import type { BroadcastEntry } from './broadcast-log.ts'
import type { FeedSink } from './feed.ts'
import type { History } from './history.ts'
import { formatPosition, parsePosition, comparePositions } from './position.ts'
import type { Position } from './position.ts'

/** One sink of one or several channels, and how far it has got. */
export class BroadcastSubscription {
  readonly channels: readonly string[]
  readonly #history: History
  readonly #sink: FeedSink
  /** Everything up to here was passed on, or came before it; null until it has begun. */
  #position: Position | null = null

  constructor(history: History, channels: readonly string[], sink: FeedSink) {
    this.#history = history
    this.channels = channels
    this.#sink = sink
  }

  /** The id up to which the sink has received everything; null if it has not begun. */
  get id(): string | null {
    if (this.#position === null) return null
    const { position } = this.#history
    // A client that came from another process may know more than this one.
    const isAhead = comparePositions(this.#position, position) > 0
    return formatPosition(isAhead ? this.#position : position)
  }

  /** Begins after the event with this id, or now. */
  begin(lastId: string | null): void {
    const last = lastId === null ? this.#history.position : parsePosition(lastId)
    const missed = last === null ? null : this.#history.after(last)
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
    this.#position = this.#history.position
    this.#sink.reset(formatPosition(this.#position))
  }
}
