import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { isMessage } from '../../../base/is-record.ts'
import type { UploadBudget } from '../../request/upload-budget.ts'
import { removeAbandonedUploads } from '../../request/upload-folder.ts'
import type { WorkerIdentity } from './worker-events.ts'

/** Message from a worker to the primary: asks for bytes of the upload budget, or returns them. */
export type UploadRequest =
  | { readonly type: 'framework:take-upload-bytes'; readonly id: number; readonly bytes: number }
  | { readonly type: 'framework:give-upload-bytes'; readonly bytes: number }

const requestTypes = ['framework:take-upload-bytes', 'framework:give-upload-bytes'] as const

/** Message from the primary to a worker. */
export interface UploadGrant {
  readonly type: 'framework:upload-bytes'
  readonly id: number
  /** False if there are not that many bytes left. */
  readonly granted: boolean
}

/** The messages between a worker and its primary; `process` is one. */
export interface PrimaryChannel {
  send?(message: UploadRequest, callback: (error: Error | null) => void): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
  once(event: 'disconnect', listener: () => void): unknown
}

/**
 * The upload budget of one worker of a fleet. It asks the primary before each write, so that all workers
 * together stay within one budget.
 */
export class FleetUploads implements UploadBudget {
  readonly #primary: PrimaryChannel
  readonly #waiting = new Map<number, (granted: boolean) => void>()
  #asked = 0

  constructor(primary: PrimaryChannel) {
    this.#primary = primary
  }

  take(bytes: number): Promise<boolean> {
    if (this.#asked === 0) this.#listen()
    this.#asked += 1
    const id = this.#asked
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      const message = { type: 'framework:take-upload-bytes', id, bytes } as const
      this.#primary.send?.(message, (error) => error !== null && resolve(false))
    })
  }

  give(bytes: number): void {
    if (bytes > 0) this.#primary.send?.({ type: 'framework:give-upload-bytes', bytes }, () => {})
  }

  #listen(): void {
    this.#primary.on('message', (message) => {
      if (!isMessage<UploadGrant>(message, 'framework:upload-bytes')) return
      this.#waiting.get(message.id)?.(message.granted)
      this.#waiting.delete(message.id)
    })
    // Without its primary a worker ends soon.
    this.#primary.once('disconnect', () => {
      for (const resolve of this.#waiting.values()) resolve(false)
    })
  }
}

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

  /** Takes bytes for a worker; false, and none, if there are not that many left. */
  take(pid: number, bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#move(pid, bytes)
    return true
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

  /** Serves the workers. Returns a function that stops it. */
  listen(): () => void {
    const serve = (worker: Worker, message: unknown): void => {
      const { pid } = worker.process
      if (pid === undefined || !isMessage<UploadRequest>(message, ...requestTypes)) return
      if (message.type === 'framework:give-upload-bytes') this.give(pid, message.bytes)
      else {
        const { id, bytes } = message
        const granted = this.take(pid, bytes)
        const grant: UploadGrant = { type: 'framework:upload-bytes', id, granted }
        // The worker may be gone; then `close` takes the bytes back.
        if (worker.isConnected()) worker.send(grant, () => {})
      }
    }
    cluster.on('message', serve)
    return () => cluster.off('message', serve)
  }

  #move(pid: number, bytes: number): void {
    this.#left -= bytes
    this.#held.set(pid, (this.#held.get(pid) ?? 0) + bytes)
  }
}
