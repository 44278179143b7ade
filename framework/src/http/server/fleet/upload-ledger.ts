import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { removeAbandonedUploads } from '../../request/upload-folder.ts'
import type { WorkerIdentity } from './worker-events.ts'
import { parseUploadQuestion } from './upload-messages.ts'
import type { UploadAnswer } from './upload-messages.ts'

/**
 * Shares the upload budget out to the workers of a fleet, in the primary: together they never hold more
 * than the whole. What a dead worker held is free again once its files are removed.
 */
export class UploadLedger {
  readonly #held = new Map<number, number>()
  #left: number

  constructor(budget: number) {
    this.#left = budget
  }

  /** Takes as much as there is, up to `most` bytes, for a worker; zero if that is less than `least`. */
  take(pid: number, least: number, most: number): number {
    const granted = this.#left < least ? 0 : Math.min(this.#left, most)
    this.#move(pid, granted)
    return granted
  }

  /** Takes bytes back from a worker. */
  give(pid: number, bytes: number): void {
    this.#move(pid, -Math.min(bytes, this.#held.get(pid) ?? 0))
  }

  /** Removes the files of a worker that has ended, and takes back what it held. */
  async close({ pid }: WorkerIdentity): Promise<void> {
    await removeAbandonedUploads((owner) => owner === pid)
    this.give(pid, Infinity)
    this.#held.delete(pid)
  }

  /** Answers the workers. Returns a function that stops it. */
  listen(): () => void {
    const answer = (worker: Worker, message: unknown): void => {
      const { pid } = worker.process
      const question = parseUploadQuestion(message)
      if (question === null || pid === undefined) return
      if (question.type === 'framework:give-upload-bytes') this.give(pid, question.bytes)
      else {
        const { id, least, most } = question
        const granted = this.take(pid, least, most)
        const reply: UploadAnswer = { type: 'framework:upload-bytes', id, granted }
        // The worker may be gone; then `close` takes the bytes back.
        if (worker.isConnected()) worker.send(reply, () => {})
      }
    }
    cluster.on('message', answer)
    return () => cluster.off('message', answer)
  }

  #move(pid: number, bytes: number): void {
    this.#left -= bytes
    this.#held.set(pid, (this.#held.get(pid) ?? 0) + bytes)
  }
}
