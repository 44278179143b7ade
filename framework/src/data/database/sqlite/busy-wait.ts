import { setTimeout as sleep } from 'node:timers/promises'

import { DatabaseError } from '../database-error.ts'

const maxPauseMs = 25

/** The time that may be spent on waiting for a lock, from its making on. */
export class Deadline {
  readonly #startMs = performance.now()
  readonly #limitMs: number

  constructor(seconds: number) {
    this.#limitMs = seconds * 1000
  }

  get leftMs(): number {
    return Math.max(0, this.#startMs + this.#limitMs - performance.now())
  }

  /** The failure of a wait that was too long, with the reason why nothing came of it. */
  exhausted(reason: string): DatabaseError {
    const seconds = ((performance.now() - this.#startMs) / 1000).toFixed(1)
    return new DatabaseError(
      'E_DATABASE_BUSY',
      `the database stayed locked for the ${seconds} s that busy_timeout allows: ${reason}`,
      { native: 'SQLITE_BUSY' },
    )
  }
}

/** Whether SQLite could not get a lock, so that the same may work a moment later. */
export function isBusy(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === 'E_DATABASE_BUSY'
}

/**
 * Tries until no lock stands in the way, with pauses that grow from one to 25 milliseconds; the
 * event loop is free in between.
 * @throws DatabaseError E_DATABASE_BUSY when the deadline has passed, and whatever the attempt throws.
 */
export async function untilFree<T>(attempt: () => T, deadline: Deadline): Promise<T> {
  for (let round = 0; ; round++) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error)) throw error
    }
    const leftMs = deadline.leftMs
    if (leftMs === 0) throw deadline.exhausted('another process or connection is writing')
    await sleep(Math.min(pauseMs(round), leftMs))
  }
}

// Spread by chance, so that processes that met once do not meet again at each attempt.
function pauseMs(round: number): number {
  return Math.min(2 ** round, maxPauseMs) * (0.5 + Math.random() / 2)
}
