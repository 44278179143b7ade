import { setTimeout as sleep } from 'node:timers/promises'
import type { Throwables } from '../errors/throwables/throwables.ts'
import { startOf } from './broadcast-log.ts'
import type { BroadcastEntry, BroadcastLog, LogFollower, NewEntry } from './broadcast-log.ts'
import { comparePositions, origin } from './position.ts'
import type { Position } from './position.ts'

const firstPauseMs = 50
const maxPauseMs = 2_000

/**
 * A log that several machines read. A reader goes on where it was after an outage, which is reported
 * once; if what it missed is not kept any more, it notices.
 */
export abstract class FollowedLog implements BroadcastLog {
  readonly #throwables: Throwables
  protected isClosed = false
  #following: Promise<void> | null = null
  #failures = 0

  constructor(throwables: Throwables) {
    this.#throwables = throwables
  }

  abstract append(entry: NewEntry): Promise<Position>
  /** Entries after a position, oldest first; none if there are none. */
  protected abstract page(after: Position): Promise<readonly BroadcastEntry[]>
  /** The position of the last entry. */
  protected abstract last(): Promise<Position>
  /** The same as `page`, but waits for a while if there are none. */
  protected abstract next(after: Position): Promise<readonly BroadcastEntry[]>

  follow(follower: LogFollower): void {
    this.#following = this.#run(follower)
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.#following
  }

  async #run(follower: LogFollower): Promise<void> {
    let position: Position | null = null
    while (!this.isClosed) {
      try {
        if (position === null || (await this.#isReplaced(position))) {
          const kept = await this.#kept()
          position = kept.at(-1)?.position ?? origin
          follower.restart(startOf(kept), kept)
        }
        const entries = await this.next(position)
        this.#failures = 0
        if (entries.length > 0) follower.receive(entries)
        position = entries.at(-1)?.position ?? position
      } catch (thrown) {
        if (!this.isClosed) await this.#pause(thrown)
      }
    }
  }

  async #kept(): Promise<readonly BroadcastEntry[]> {
    const kept: BroadcastEntry[] = []
    for (;;) {
      const page = await this.page(kept.at(-1)?.position ?? origin)
      if (page.length === 0) return kept
      kept.push(...page)
    }
  }

  // After a failover, or from a restored backup, a log may know less than this reader.
  async #isReplaced(position: Position): Promise<boolean> {
    return this.#failures > 0 && comparePositions(await this.last(), position) < 0
  }

  /** Reports the first failure, and resolves when it is time for the next attempt. */
  async #pause(thrown: unknown): Promise<void> {
    if (this.#failures === 0) this.#throwables.notify(thrown, { origin: 'broadcast' })
    const maxMs = Math.min(maxPauseMs, firstPauseMs * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 10)
    // Random, so that all processes do not come back at one moment.
    await sleep(maxMs / 2 + (Math.random() * maxMs) / 2, undefined, { ref: false })
  }
}
