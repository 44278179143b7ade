import { origin } from './position.ts'
import type { Position } from './position.ts'

/** An event to be published; `data` is JSON. */
export interface NewEntry {
  readonly channel: string
  readonly name: string
  readonly data: string
}

/** A published event. */
export interface BroadcastEntry extends NewEntry {
  readonly position: Position
  /** When it was published, in epoch milliseconds. */
  readonly atMs: number
}

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

/** What an entry takes up beside its texts, roughly. */
const overhead = 200

/** Bytes that an entry takes up in memory, roughly. */
export function entryBytes({ channel, name, data }: NewEntry): number {
  // Twice: as text, and as the bytes that are sent.
  return overhead + channel.length + name.length + 2 * data.length
}

/** Where entries begin: the place just before the first of them. */
export function startOf([first]: readonly BroadcastEntry[]): Position {
  if (first === undefined || first.position.sequence === 1) return origin
  const { epoch, sequence } = first.position
  return { epoch, sequence: sequence - 1 }
}
