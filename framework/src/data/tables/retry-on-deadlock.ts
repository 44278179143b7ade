import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from '../database/database-error.ts'
import type { Surface } from '../database/surface.ts'

const maxAttempts = 5
const minMs = 10

/**
 * Retries some work after a deadlock, up to five attempts with random, growing pauses. Inside a
 * transaction it is not retried: the earlier statements of the transaction are lost as well.
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
