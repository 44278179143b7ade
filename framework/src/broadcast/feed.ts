import type { BroadcastEntry } from './broadcast-log.ts'

/** Receives the events of a feed. */
export interface FeedSink {
  /** Called once, with the id from which the feed goes on. */
  begin(id: string): void
  /** Several events that were published before, and at least one. */
  replay(entries: readonly BroadcastEntry[]): void
  send(entry: BroadcastEntry): void
  /** Events before this id were lost; what follows is complete. */
  reset(id: string): void
}

/** A sink that receives events. */
export interface FeedSubscription {
  /** The id up to which the sink has received everything; null if the feed has not begun. */
  readonly id: string | null
  close(): void
}

/** Events that `response.events` can send, such as those of `broadcast.channel('notes')`. */
export interface Feed<Events extends object> {
  /**
   * Passes on what was published after the event with this id, then everything that is published. With
   * null it begins now.
   */
  open(lastId: string | null, sink: FeedSink): FeedSubscription
  /** Never set: makes the type of the events part of the type of the feed. */
  readonly events?: Events
}
