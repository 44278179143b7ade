import { FrameworkError } from '../base/errors.ts'
import type { BroadcastEntry, NewEntry, BroadcastLog, LogFollower } from './broadcast-log.ts'
import type { HistoryLimits } from './history.ts'
import type { Position } from './position.ts'

/** Message from a worker to the primary: publishes an event, or asks for all of them. */
export type WorkerMessage =
  | {
      readonly type: 'framework:publish'
      readonly number: number
      readonly channel: string
      readonly name: string
      readonly data: string
    }
  | { readonly type: 'framework:follow-broadcast'; readonly limits: HistoryLimits }

/** Message from the primary to a worker. */
export type PrimaryMessage =
  | {
      readonly type: 'framework:published'
      readonly number: number
      readonly position: Position
    }
  | {
      readonly type: 'framework:broadcast'
      /** If it is not null, everything before is to be forgotten, and the entries follow it. */
      readonly restart: Position | null
      readonly entries: readonly BroadcastEntry[]
      /** Whether more of what is kept follows. */
      readonly more: boolean
    }

/** How a worker reaches its primary; `process` is one. */
export interface PrimaryChannel {
  send?(message: WorkerMessage, callback: (error: Error | null) => void): unknown
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
  readonly #primary: PrimaryChannel
  readonly #waiting = new Map<number, Waiting>()
  #follower: LogFollower | null = null
  /** What the primary keeps arrives in several messages. */
  #loading: { readonly start: Position; readonly entries: BroadcastEntry[] } | null = null
  #number = 0

  constructor(limits: HistoryLimits, primary: PrimaryChannel = process) {
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
    if (isPrimaryMessage(message)) this.#receive(message)
  }

  #receive(message: PrimaryMessage): void {
    if (message.type === 'framework:published') {
      this.#take(message.number)?.resolve(message.position)
      return
    }
    const { restart, entries, more } = message
    if (restart !== null) this.#loading = { start: restart, entries: [] }
    if (this.#loading === null) return this.#follower?.receive(entries)
    this.#loading.entries.push(...entries)
    if (more) return
    const { start, entries: kept } = this.#loading
    this.#loading = null
    this.#follower?.restart(start, kept)
  }

  #send(message: WorkerMessage, failed: () => void): void {
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

/** Whether a message is one of a worker of the same version of the framework. */
export function isWorkerMessage(message: unknown): message is WorkerMessage {
  const type = typeOf(message)
  return type === 'framework:publish' || type === 'framework:follow-broadcast'
}

/** Whether a message is one of a primary of the same version of the framework. */
function isPrimaryMessage(message: unknown): message is PrimaryMessage {
  const type = typeOf(message)
  return type === 'framework:published' || type === 'framework:broadcast'
}

function typeOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'type' in message ? message.type : null
}
