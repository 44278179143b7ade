import type { BroadcastEntry, NewEntry } from './broadcast-entry.ts'
import type { Position } from './position.ts'

/** Receives what a log has. */
export interface LogFollower {
  /**
   * Everything known so far is replaced: what follows begins after this position. Called first, and again
   * if the log was lost or replaced.
   */
  restart(position: Position, entries: readonly BroadcastEntry[]): void
  /** The next entries, in order. Those that are known already are ignored, and a gap is noticed. */
  receive(entries: readonly BroadcastEntry[]): void
}

/** Puts published events in order, keeps the latest ones, and passes them on to every process. */
export interface BroadcastLog {
  /** Adds an event behind all others and resolves with its position. */
  append(entry: NewEntry): Promise<Position>
  /** Passes on what is kept, then everything that is added. Called once. */
  follow(follower: LogFollower): void
  close(): Promise<void> | void
}
