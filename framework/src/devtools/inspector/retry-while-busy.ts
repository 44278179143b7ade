import { setTimeout as sleep } from 'node:timers/promises'
import { HttpError } from '../../http/errors/http-error.ts'

/** Attempts to read a file in which another process is writing. */
const maxAttempts = 20

/**
 * Reads from the file, which is busy for moments while another process writes.
 * @throws HttpError 503 if it stays busy.
 */
export async function retryWhileBusy<T>(read: () => T): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return read()
    } catch (error) {
      if (attempt === maxAttempts) {
        throw new HttpError(503, 'the file of the inspector cannot be read', { cause: error })
      }
      await sleep(10)
    }
  }
}
