import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { entryBytes } from './broadcast-log.ts'
import type { BroadcastEntry } from './broadcast-log.ts'
import { isWorkerMessage } from './fleet-log.ts'
import type { PrimaryMessage, WorkerMessage } from './fleet-log.ts'
import { MemoryLog } from './memory-log.ts'
import type { Position } from './position.ts'

/** The part of a worker that the relay uses. */
export interface WorkerChannel {
  isConnected(): boolean
  send(message: PrimaryMessage, callback: (error: Error | null) => void): unknown
}

/** Bytes of events in one message to a worker. */
const maxMessage = 262_144

interface Follower {
  /** What was sent to it; null before the first message. */
  position: Position | null
  /** Whether a message is on its way. */
  isBusy: boolean
}

/**
 * Keeps the events of a fleet, in the primary, and passes them on to all workers. A worker that does not
 * read costs nothing: it has one message underway, and what it missed is read from the history later.
 */
export class FleetRelay {
  #log: MemoryLog | null = null
  readonly #followers = new Map<WorkerChannel, Follower>()

  /** Serves the workers. Returns a function that stops it. */
  listen(): () => void {
    const receive = (worker: Worker, message: unknown): void => {
      if (isWorkerMessage(message)) this.receive(worker, message)
    }
    const forget = (worker: Worker): void => void this.#followers.delete(worker)
    cluster.on('message', receive).on('exit', forget)
    return () => cluster.off('message', receive).off('exit', forget)
  }

  receive(worker: WorkerChannel, message: WorkerMessage): void {
    this.#log ??= new MemoryLog()
    if (message.type === 'framework:publish') {
      const { position } = this.#log.add(message)
      const { number } = message
      this.#send(worker, { type: 'framework:published', number, position }, () => {})
      for (const [member, follower] of this.#followers) this.#pump(member, follower, this.#log)
      return
    }
    this.#log.history.limits = message.limits
    const follower: Follower = { position: null, isBusy: false }
    this.#followers.set(worker, follower)
    this.#pump(worker, follower, this.#log)
  }

  // One message at a time: meanwhile published events go together in the next.
  #pump(worker: WorkerChannel, follower: Follower, { history }: MemoryLog): void {
    if (follower.isBusy) return
    const missed = follower.position === null ? null : history.after(follower.position)
    if (missed?.length === 0) return
    const restart = missed === null ? history.start : null
    const waiting = missed ?? history.after(history.start) ?? []
    const entries = firstOf(waiting)
    const more = entries.length < waiting.length
    follower.position = entries.at(-1)?.position ?? history.start
    follower.isBusy = true
    this.#send(worker, { type: 'framework:broadcast', restart, entries, more }, (error) => {
      follower.isBusy = false
      if (error === null && this.#log !== null) this.#pump(worker, follower, this.#log)
    })
  }

  #send(worker: WorkerChannel, message: PrimaryMessage, sent: (error: Error | null) => void): void {
    if (worker.isConnected()) worker.send(message, sent)
    else this.#followers.delete(worker)
  }
}

function firstOf(entries: readonly BroadcastEntry[]): readonly BroadcastEntry[] {
  let bytes = 0
  const beyond = entries.findIndex((entry) => (bytes += entryBytes(entry)) > maxMessage)
  return beyond === -1 ? entries : entries.slice(0, Math.max(1, beyond))
}
