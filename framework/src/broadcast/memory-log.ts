import type { BroadcastEntry, NewEntry, BroadcastLog, LogFollower } from './broadcast-log.ts'
import { History, defaultLimits } from './history.ts'
import type { HistoryLimits } from './history.ts'
import type { Position } from './position.ts'

/** A log in the memory of this process. */
export class MemoryLog implements BroadcastLog {
  /** What it keeps. */
  readonly history: History
  readonly #clock: () => number
  #follower: LogFollower | null = null

  /** `clock` is in epoch milliseconds. */
  constructor(limits: HistoryLimits = defaultLimits, clock: () => number = Date.now) {
    // A restarted process begins another epoch, so that no id is given twice.
    this.history = new History(limits, { epoch: clock(), sequence: 0 }, clock)
    this.#clock = clock
  }

  append(entry: NewEntry): Promise<Position> {
    return Promise.resolve(this.add(entry).position)
  }

  /** The same at once. */
  add({ channel, name, data }: NewEntry): BroadcastEntry {
    const { epoch, sequence } = this.history.position
    const position = { epoch, sequence: sequence + 1 }
    const entry = { position, atMs: this.#clock(), channel, name, data }
    this.history.append(entry)
    this.#follower?.receive([entry])
    return entry
  }

  follow(follower: LogFollower): void {
    this.#follower = follower
    const { history } = this
    const kept = history.after(history.start) ?? []
    follower.restart(history.start, kept)
  }

  close(): void {
    this.#follower = null
  }
}
