import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from '../database/database-error.ts'
import type { Surface } from '../database/surface.ts'

const maxAttempts = 5
const minMs = 10

/**
 * Does some work again when the database ended it in favour of somebody else's, a few times and after
 * pauses that grow and differ, so that the same two do not meet again.
 * On a transaction it is done once: what was lost there is more than this work.
 */
export async function retryOnDeadlock<T>(surface: Surface, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isLost = error instanceof DatabaseError && error.code === 'E_DEADLOCK'
      if (!isLost || attempt === maxAttempts || surface.transactional) throw error
      await sleep(Math.random() * minMs * 2 ** attempt)
    }
  }
}
