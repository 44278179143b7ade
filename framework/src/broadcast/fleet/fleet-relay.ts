import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { entryBytes } from '../broadcast-entry.ts'
import type { BroadcastEntry } from '../broadcast-entry.ts'
import { MemoryLog } from '../memory-log.ts'
import type { Position } from '../position.ts'
import { isBroadcastQuestion } from './fleet-messages.ts'
import type { BroadcastAnswer, BroadcastQuestion } from './fleet-messages.ts'

/** The part of a worker that the relay uses. */
export interface WorkerMessages {
  isConnected(): boolean
  send(message: BroadcastAnswer, callback: (error: Error | null) => void): unknown
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
  readonly #followers = new Map<WorkerMessages, Follower>()

  /** Serves the workers. Returns a function that stops it. */
  listen(): () => void {
    const answer = (worker: Worker, message: unknown): void => {
      if (isBroadcastQuestion(message)) this.answer(worker, message)
    }
    const forget = (worker: Worker): void => void this.#followers.delete(worker)
    cluster.on('message', answer).on('exit', forget)
    return () => cluster.off('message', answer).off('exit', forget)
  }

  answer(worker: WorkerMessages, question: BroadcastQuestion): void {
    this.#log ??= new MemoryLog()
    if (question.type === 'framework:publish') {
      const { position } = this.#log.add(question)
      const { number } = question
      this.#send(worker, { type: 'framework:published', number, position }, () => {})
      for (const [member, follower] of this.#followers) this.#pump(member, follower, this.#log)
      return
    }
    this.#log.history.limits = question.limits
    const follower: Follower = { position: null, isBusy: false }
    this.#followers.set(worker, follower)
    this.#pump(worker, follower, this.#log)
  }

  // One message at a time: meanwhile published events go together in the next.
  #pump(worker: WorkerMessages, follower: Follower, { history }: MemoryLog): void {
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

  #send(
    worker: WorkerMessages,
    message: BroadcastAnswer,
    sent: (error: Error | null) => void,
  ): void {
    if (worker.isConnected()) worker.send(message, sent)
    else this.#followers.delete(worker)
  }
}

function firstOf(entries: readonly BroadcastEntry[]): readonly BroadcastEntry[] {
  let bytes = 0
  const beyond = entries.findIndex((entry) => (bytes += entryBytes(entry)) > maxMessage)
  return beyond === -1 ? entries : entries.slice(0, Math.max(1, beyond))
}
