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

/** What an entry takes up beside its texts, roughly. */
const overhead = 200

/** Bytes that an entry takes up in memory, roughly. */
export function entryBytes({ channel, name, data }: NewEntry): number {
  // Twice: as text, and as the bytes that are sent.
  return overhead + channel.length + name.length + 2 * data.length
}
