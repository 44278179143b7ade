import { invalidArgument } from '../base/errors.ts'
import { entryBytes } from './broadcast-log.ts'
import type { BroadcastEntry } from './broadcast-log.ts'
import { comparePositions, isNext, origin } from './position.ts'
import type { Position } from './position.ts'

/** How much of what was published is kept, for clients that reconnect. The first limit reached counts. */
export interface HistoryLimits {
  /** Events, of all channels together. @default 10_000 */
  readonly maxEvents: number
  /** Seconds. @default 300 */
  readonly maxAge: number
  /** Bytes in the memory of each process. @default 16_777_216, which is 16 MiB */
  readonly maxBytes: number
}

/** The limits of a history for which none are given. */
export const defaultLimits: HistoryLimits = Object.freeze({
  maxEvents: 10_000,
  maxAge: 300,
  maxBytes: 16_777_216,
})

/** @throws InvalidArgumentException for a limit that is not a number of at least 1. */
export function completeHistory(given: Partial<HistoryLimits>): HistoryLimits {
  const limits = { ...defaultLimits, ...given }
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isFinite(value) && value >= 1) continue
    throw invalidArgument(
      `history option "${name}" must be a number of at least 1, got ${String(value)}`,
    )
  }
  return limits
}

/** Entries removed from the front of the list leave it only in lots, because that moves all others. */
const maxRemoved = 1_024

/** The latest events of a log, in order and without a gap. */
export class History {
  limits: HistoryLimits
  readonly #clock: () => number
  #entries: BroadcastEntry[] = []
  /** Index of the oldest entry that is kept. */
  #first = 0
  #bytes = 0
  /** Just before the oldest entry. */
  #start: Position
  #position: Position

  /** `clock` is in epoch milliseconds. */
  constructor(limits: HistoryLimits, position: Position = origin, clock: () => number = Date.now) {
    this.limits = limits
    this.#clock = clock
    this.#start = position
    this.#position = position
  }

  /** The place after the latest event. */
  get position(): Position {
    return this.#position
  }

  /** The place before the oldest event that is kept. */
  get start(): Position {
    return this.#start
  }

  /** Whether an entry is the next one. */
  expects({ position }: BroadcastEntry): boolean {
    return isNext(this.#position, position)
  }

  /** Adds the next entry, and removes the oldest ones beyond the limits. */
  append(entry: BroadcastEntry): void {
    this.#entries.push(entry)
    this.#bytes += entryBytes(entry)
    this.#position = entry.position
    this.#trim()
  }

  /** Removes everything; what follows begins after this position. */
  restart(position: Position): void {
    this.#entries = []
    this.#first = 0
    this.#bytes = 0
    this.#start = position
    this.#position = position
  }

  /**
   * The entries after a position, oldest first; null if some of them are not kept any more, or the
   * position is not of this log. There are none after one that this process has not reached yet.
   */
  after(position: Position): readonly BroadcastEntry[] | null {
    this.#trim()
    if (comparePositions(position, this.#start) === 0) return this.#entries.slice(this.#first)
    if (position.epoch !== this.#position.epoch) return null
    const ahead = position.sequence - this.#position.sequence
    if (ahead >= 0) return ahead > this.limits.maxEvents ? null : []
    const kept = this.#entries.length - this.#first
    return -ahead > kept ? null : this.#entries.slice(this.#entries.length + ahead)
  }

  #trim(): void {
    const { maxEvents, maxAge, maxBytes } = this.limits
    const oldestMs = this.#clock() - maxAge * 1_000
    for (;;) {
      const entry = this.#entries[this.#first]
      if (entry === undefined) break
      const isWithin = this.#entries.length - this.#first <= maxEvents && this.#bytes <= maxBytes
      if (isWithin && entry.atMs >= oldestMs) break
      this.#first += 1
      this.#bytes -= entryBytes(entry)
      this.#start = entry.position
    }
    if (this.#first < maxRemoved && this.#first < this.#entries.length) return
    this.#entries = this.#entries.slice(this.#first)
    this.#first = 0
  }
}
