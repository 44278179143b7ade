import { setTimeout as sleep } from 'node:timers/promises'

import { DatabaseError } from '../database-error.ts'

const maxPauseMs = 25

/** The time left to wait for a lock, counted from its creation. */
export class Deadline {
  readonly #startMs = performance.now()
  readonly #limitMs: number

  constructor(seconds: number) {
    this.#limitMs = seconds * 1000
  }

  get leftMs(): number {
    return Math.max(0, this.#startMs + this.#limitMs - performance.now())
  }

  /** The error for a wait that took too long, with its reason. */
  timeoutError(reason: string): DatabaseError {
    const seconds = ((performance.now() - this.#startMs) / 1000).toFixed(1)
    return new DatabaseError(
      'E_DATABASE_BUSY',
      `the database stayed locked for the ${seconds} s that busy_timeout allows: ${reason}`,
      { native: 'SQLITE_BUSY' },
    )
  }
}

/** Whether SQLite could not get a lock, so that a retry may succeed. */
export function isBusy(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === 'E_DATABASE_BUSY'
}

/**
 * Retries until there is no lock, with pauses that grow from one to 25 milliseconds and leave the
 * event loop free.
 * @throws DatabaseError E_DATABASE_BUSY when the deadline has passed, and any other error of
 * `attempt`.
 */
export async function retryWhileBusy<T>(attempt: () => T, deadline: Deadline): Promise<T> {
  for (let round = 0; ; round++) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error)) throw error
    }
    const leftMs = deadline.leftMs
    if (leftMs === 0) throw deadline.timeoutError('another process or connection is writing')
    // With jitter, so that processes do not collide again at each attempt.
    const pauseMs = Math.min(2 ** round, maxPauseMs) * (0.5 + Math.random() / 2)
    await sleep(Math.min(pauseMs, leftMs))
  }
}
