import { FrameworkError } from '../../base/errors.ts'
import type { BroadcastEntry, NewEntry } from '../broadcast-entry.ts'
import type { BroadcastLog, LogFollower } from '../broadcast-log.ts'
import type { HistoryLimits } from '../history.ts'
import type { Position } from '../position.ts'
import { isBroadcastAnswer } from './fleet-messages.ts'
import type { BroadcastAnswer, BroadcastQuestion } from './fleet-messages.ts'

/** The messages between a worker and its primary; `process` is one. */
export interface PrimaryMessages {
  send?(message: BroadcastQuestion, callback: (error: Error | null) => void): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
  off(event: 'message', listener: (message: unknown) => void): unknown
}

const timeoutMs = 10_000

interface Waiting {
  readonly resolve: (position: Position) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** The log of a worker of a fleet: its primary has it, see `FleetRelay`. */
export class FleetLog implements BroadcastLog {
  readonly #limits: HistoryLimits
  readonly #primary: PrimaryMessages
  readonly #waiting = new Map<number, Waiting>()
  #follower: LogFollower | null = null
  /** What the primary keeps arrives in several messages. */
  #loading: { readonly start: Position; readonly entries: BroadcastEntry[] } | null = null
  #number = 0

  constructor(limits: HistoryLimits, primary: PrimaryMessages = process) {
    this.#limits = limits
    this.#primary = primary
    primary.on('message', this.#listen)
  }

  append({ channel, name, data }: NewEntry): Promise<Position> {
    this.#number += 1
    const number = this.#number
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(number, 'it did not answer'), timeoutMs).unref()
      this.#waiting.set(number, { resolve, reject, timer })
      this.#send({ type: 'framework:publish', number, channel, name, data }, () =>
        this.#fail(number, 'it is gone'),
      )
    })
  }

  follow(follower: LogFollower): void {
    this.#follower = follower
    // Without its primary a worker ends soon.
    this.#send({ type: 'framework:follow-broadcast', limits: this.#limits }, () => {})
  }

  close(): void {
    this.#primary.off('message', this.#listen)
    for (const number of this.#waiting.keys()) this.#fail(number, 'the worker is closing')
  }

  readonly #listen = (message: unknown): void => {
    if (isBroadcastAnswer(message)) this.#receive(message)
  }

  #receive(answer: BroadcastAnswer): void {
    if (answer.type === 'framework:published') {
      const waiting = this.#take(answer.number)
      waiting?.resolve(answer.position)
      return
    }
    const { restart, entries, more } = answer
    if (restart !== null) this.#loading = { start: restart, entries: [] }
    if (this.#loading === null) return this.#follower?.receive(entries)
    this.#loading.entries.push(...entries)
    if (more) return
    const { start, entries: kept } = this.#loading
    this.#loading = null
    this.#follower?.restart(start, kept)
  }

  #send(message: BroadcastQuestion, failed: () => void): void {
    const primary = this.#primary
    if (primary.send === undefined) failed()
    else primary.send(message, (error) => error !== null && failed())
  }

  #fail(number: number, reason: string): void {
    const message = `an event could not be handed to the primary of this server: ${reason}`
    this.#take(number)?.reject(new FrameworkError('E_BROADCAST', message))
  }

  #take(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number)
    if (waiting !== undefined) clearTimeout(waiting.timer)
    this.#waiting.delete(number)
    return waiting
  }
}
