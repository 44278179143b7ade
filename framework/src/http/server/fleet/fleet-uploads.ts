import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { isRecord } from '../../../base/is-record.ts'
import type { UploadBudget } from '../../request/upload-budget.ts'
import { removeAbandonedUploads } from '../../request/upload-folder.ts'
import type { WorkerIdentity } from './worker-events.ts'

/** Message from a worker to the primary: asks for bytes of the upload budget, or returns them. */
export type UploadRequest =
  | {
      readonly type: 'framework:take-upload-bytes'
      readonly id: number
      /** Fewer bytes are of no use. */
      readonly least: number
      readonly most: number
    }
  | { readonly type: 'framework:give-upload-bytes'; readonly bytes: number }

/** Message from the primary to a worker. */
export interface UploadGrant {
  readonly type: 'framework:upload-bytes'
  readonly id: number
  /** Zero if there is not enough left. */
  readonly granted: number
}

/** The messages between a worker and its primary; `process` is one. */
export interface PrimaryChannel {
  send?(message: UploadRequest, callback: (error: Error | null) => void): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
  once(event: 'disconnect', listener: () => void): unknown
}

/** The most that is asked for ahead, so that a large upload needs few messages. */
const maxStep = 1_048_576
/** What the workers hold ahead, all together, is at most this part of the budget. */
const maxAhead = 1 / 16

/**
 * The upload budget of one worker of a fleet. It borrows bytes from the primary in steps and returns
 * what it does not need, so that all workers together stay within one budget.
 */
export class FleetUploads implements UploadBudget {
  readonly #primary: PrimaryChannel
  readonly #step: number
  readonly #waiting = new Map<number, (granted: number) => void>()
  #held = 0
  #used = 0
  #asked = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(budget: number, workers: number, primary: PrimaryChannel) {
    this.#primary = primary
    this.#step = Math.min(maxStep, Math.floor((budget * maxAhead) / workers))
  }

  take(bytes: number): boolean | Promise<boolean> {
    if (this.#takeHeld(bytes)) return true
    const taken = this.#turn.then(() => this.#borrow(bytes))
    this.#turn = taken
    return taken
  }

  give(bytes: number): void {
    this.#used -= bytes
    const kept = this.#used === 0 ? 0 : this.#used + this.#step
    if (this.#held <= kept) return
    const spare = this.#held - kept
    this.#held = kept
    this.#primary.send?.({ type: 'framework:give-upload-bytes', bytes: spare }, () => {})
  }

  #takeHeld(bytes: number): boolean {
    if (this.#used + bytes > this.#held) return false
    this.#used += bytes
    return true
  }

  // Again if in the meantime another upload has ended and its bytes were returned.
  async #borrow(bytes: number): Promise<boolean> {
    while (!this.#takeHeld(bytes)) {
      const granted = await this.#ask(this.#used + bytes - this.#held)
      if (granted === 0) return false
      this.#held += granted
    }
    return true
  }

  #ask(least: number): Promise<number> {
    if (this.#asked === 0) this.#listen()
    this.#asked += 1
    const id = this.#asked
    const most = Math.max(least, this.#step)
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      const message = { type: 'framework:take-upload-bytes', id, least, most } as const
      this.#primary.send?.(message, (error) => error !== null && resolve(0))
    })
  }

  #listen(): void {
    this.#primary.on('message', (message) => {
      if (!isUploadGrant(message)) return
      this.#waiting.get(message.id)?.(message.granted)
      this.#waiting.delete(message.id)
    })
    // Without its primary a worker ends soon.
    this.#primary.once('disconnect', () => {
      for (const resolve of this.#waiting.values()) resolve(0)
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

  /** Serves the workers. Returns a function that stops it. */
  listen(): () => void {
    const serve = (worker: Worker, message: unknown): void => {
      const { pid } = worker.process
      if (!isUploadRequest(message) || pid === undefined) return
      if (message.type === 'framework:give-upload-bytes') this.give(pid, message.bytes)
      else {
        const { id, least, most } = message
        const granted = this.take(pid, least, most)
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

/** Whether this is a message of a worker about uploads. */
export function isUploadRequest(message: unknown): message is UploadRequest {
  const type = isRecord(message) ? message['type'] : null
  return type === 'framework:take-upload-bytes' || type === 'framework:give-upload-bytes'
}

/** Whether this is a message of the primary about uploads. */
export function isUploadGrant(message: unknown): message is UploadGrant {
  return isRecord(message) && message['type'] === 'framework:upload-bytes'
}
