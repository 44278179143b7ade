import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from './database-error.ts'
import { isDatabase } from './is-database.ts'
import type { Surface } from './surface.ts'

const tries = 5
const shortestMs = 10

/**
 * Does some work again when the database ended it in favour of somebody else's, a few times and after
 * pauses that grow and differ, so that the same two do not meet again.
 * On a transaction it is done once: what was lost there is more than this work.
 */
export async function untilSettled<T>(surface: Surface, work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      const isLost = error instanceof DatabaseError && error.code === 'E_DEADLOCK'
      if (!isLost || tried === tries || !isDatabase(surface)) throw error
      await sleep(Math.random() * shortestMs * 2 ** tried)
    }
  }
}
