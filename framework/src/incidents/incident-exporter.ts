import { setImmediate as nextTurn } from 'node:timers/promises'
import { ReportCounts } from '../errors/throwables/report-limit.ts'
import type { ReportLimit } from '../errors/throwables/report-limit.ts'
import { settledWithin } from '../base/pending-work.ts'
import type { ReportContext } from '../errors/throwables/throwables.ts'
import { CurrentWork } from '../activity/current-work.ts'
import type { Incident } from './incident.ts'
import { incidentOf, isFatal } from './incident.ts'
import { IncidentQueue } from './incident-queue.ts'
import type { QueueNotice } from './incident-queue.ts'
import type { IncidentTarget } from './incident-target.ts'

/** Options of an exporter. */
export interface ExporterOptions {
  readonly targets: readonly IncidentTarget[]
  /** Called at most once a minute for each target that loses incidents. */
  readonly notice?: QueueNotice
  /** Limits the incidents of one class from one line. @default 10 in 60 seconds */
  readonly limit?: ReportLimit
  /** Limits all incidents. @default 300 in 60 seconds */
  readonly totalLimit?: ReportLimit
  /** Incidents that may wait for one target. @default 100 */
  readonly maxWaiting?: number
  /** Epoch milliseconds. @default Date.now */
  readonly nowMs?: () => number
}

/**
 * Sends reported throwables to other servers, after the response. Whatever happens there, and however many
 * throwables there are, it costs little memory and no waiting: what is too much is counted and dropped.
 */
export class IncidentExporter {
  readonly queues: readonly IncidentQueue[]
  /** Throwables that the limits held back. */
  suppressed = 0
  readonly #limit: ReportLimit
  readonly #total: Budget
  readonly #urgent: Budget
  readonly #nowMs: () => number
  readonly #counts: ReportCounts
  readonly #leaveScopes: () => void

  constructor(options: ExporterOptions) {
    const { targets, notice, maxWaiting = 100 } = options
    this.#limit = options.limit ?? { max: 10, window: 60 }
    this.#total = new Budget(options.totalLimit ?? { max: 300, window: 60 })
    this.#urgent = new Budget(this.#limit)
    this.#nowMs = options.nowMs ?? (() => Date.now())
    this.#counts = new ReportCounts(this.#nowMs)
    const queue = { max: maxWaiting, ...(notice !== undefined && { notice }) }
    this.queues = targets.map((target) => new IncidentQueue(target, queue))
    // Unless requests are followed an incident would know neither route nor account.
    this.#leaveScopes = CurrentWork.follow()
  }

  /**
   * The reporter. Resolves when the throwable was sent or dropped; undefined if it was not worth
   * describing.
   */
  report = (error: Error, context: ReportContext): Promise<void> | undefined => {
    const atMs = this.#nowMs()
    // A process may go on after uncaught throwables, and then have many.
    const isUrgent = isFatal({ context }) && this.#urgent.take(atMs)
    const earlier = isUrgent ? 0 : this.#admit(error, atMs)
    if (earlier === null) {
      this.suppressed += 1
      return undefined
    }
    const open = this.queues.filter((queue) => isUrgent || !queue.isFull)
    for (const queue of this.queues) if (!open.includes(queue)) queue.drop('too many are waiting')
    if (open.length === 0) return undefined
    const details = earlier === 0 ? context : { ...context, suppressed: earlier }
    return sendLater(open, isUrgent, () => incidentOf(error, details, atMs / 1_000))
  }

  /** Resolves when everything was sent or dropped, or when the time is up. */
  async flush(withinMs: number): Promise<void> {
    // Those that are still being described get into their queues first.
    const all = nextTurn().then(() => Promise.all(this.queues.map((queue) => queue.settled())))
    await settledWithin(all, withinMs)
  }

  /** Sends what is left, for at most two seconds. */
  async close(): Promise<void> {
    for (const { target } of this.queues) target.stop()
    await this.flush(closeMs)
    // A request that goes on would keep the process alive.
    for (const queue of this.queues) queue.close()
    this.#leaveScopes()
  }

  /** How many like it were held back before; null if this one is. The cheaper question comes first. */
  #admit(error: Error, atMs: number): number | null {
    if (this.#total.isSpent(atMs)) return null
    const earlier = this.#counts.admit(error, this.#limit)
    if (earlier !== null) this.#total.take(atMs)
    return earlier
  }
}

/** So many in each window of time. */
class Budget {
  readonly #limit: ReportLimit
  #endMs = -Infinity
  #left = 0

  constructor(limit: ReportLimit) {
    this.#limit = limit
  }

  isSpent(nowMs: number): boolean {
    if (nowMs >= this.#endMs) {
      this.#endMs = nowMs + this.#limit.window * 1_000
      this.#left = this.#limit.max
    }
    return this.#left === 0
  }

  /** Takes one; false if none is left. */
  take(nowMs: number): boolean {
    if (this.isSpent(nowMs)) return false
    this.#left -= 1
    return true
  }
}

const closeMs = 2_000

// The response goes out first. The context of the request follows.
async function sendLater(
  queues: readonly IncidentQueue[],
  isUrgent: boolean,
  describe: () => Incident,
): Promise<void> {
  await nextTurn()
  const incident = describe()
  await Promise.all(
    queues.map((queue) => (isUrgent ? queue.addUrgent(incident) : queue.add(incident))),
  )
}
