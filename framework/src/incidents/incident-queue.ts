import { AsyncLocalStorage } from 'node:async_hooks'
import { messageOf, toError } from '../base/to-error.ts'
import type { Incident } from './incident.ts'
import type { IncidentTarget, SendOutcome } from './incident-target.ts'

/** Tells that incidents were lost, or what a receiver warns of. */
export type QueueNotice = (text: string, context: Readonly<Record<string, unknown>>) => void

/** Options of a queue. */
export interface QueueOptions {
  /** Incidents that may wait; more are dropped. @default 100 */
  readonly max?: number
  /** Called at most once a minute. */
  readonly notice?: QueueNotice
  /** @default performance.now */
  readonly nowMs?: () => number
}

const noticeMs = 60_000

/** Incidents that wait for one target, which gets them in order, a request at a time. */
export class IncidentQueue {
  readonly target: IncidentTarget
  sent = 0
  /** Incidents that did not arrive: there were too many, or the server did not take them. */
  dropped = 0
  readonly #max: number
  readonly #notice: QueueNotice
  readonly #nowMs: () => number
  readonly #waiting: Incident[] = []
  #sending: Promise<void> | null = null
  #told = 0
  #quietUntilMs = -Infinity
  // Requests to the target must not count as part of the request that failed.
  readonly #outside = AsyncLocalStorage.snapshot()

  constructor(target: IncidentTarget, options: QueueOptions = {}) {
    this.target = target
    this.#max = options.max ?? 100
    this.#notice = options.notice ?? (() => {})
    this.#nowMs = options.nowMs ?? (() => performance.now())
  }

  /** Whether another incident would be dropped. */
  get isFull(): boolean {
    return this.#waiting.length >= this.#max
  }

  /** Adds an incident. Resolves when it, and those before it, were sent or dropped. */
  add(incident: Incident): Promise<void> {
    if (this.isFull) {
      this.drop('too many are waiting')
      return this.settled()
    }
    this.#waiting.push(incident)
    this.#sending ??= this.#outside(() => this.#sendAll())
    return this.#sending
  }

  /** Sends an incident at once, past those that wait: the process is about to end. */
  addUrgent(incident: Incident): Promise<void> {
    return this.#outside(() => this.#send([incident]))
  }

  /** Counts an incident that was not worth describing, because it would not be sent. */
  drop(reason: string): void {
    this.dropped += 1
    this.#tell(reason)
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    await this.#sending
  }

  /** Drops what is left and ends the request that is on its way. */
  close(): void {
    this.dropped += this.#waiting.splice(0).length
    this.target.abandon()
  }

  async #sendAll(): Promise<void> {
    // What is reported in the same turn goes together.
    await Promise.resolve()
    const { batchSize } = this.target
    while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, batchSize))
    this.#sending = null
  }

  async #send(batch: readonly Incident[]): Promise<void> {
    const { isSent, notice } = await this.#outcomeOf(batch)
    if (isSent) this.sent += batch.length
    else this.dropped += batch.length
    if (notice !== null || !isSent) this.#tell(notice)
  }

  // A target that fails against its promise must not stop those behind it.
  async #outcomeOf(batch: readonly Incident[]): Promise<SendOutcome> {
    try {
      return await this.target.send(batch)
    } catch (thrown) {
      return { isSent: false, notice: messageOf(toError(thrown)) }
    }
  }

  /** Says once in a while how many were lost; most of them for the reason of the first. */
  #tell(reason: string | null): void {
    const nowMs = this.#nowMs()
    if (nowMs < this.#quietUntilMs) return
    this.#quietUntilMs = nowMs + noticeMs
    const { name } = this.target
    const dropped = this.dropped - this.#told
    this.#told = this.dropped
    const text = dropped === 0 ? `${name} warns` : `errors were not sent to ${name}`
    this.#notice(text, { target: name, dropped, ...(reason !== null && { reason }) })
  }
}
