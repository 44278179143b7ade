import { Throwables } from '../../base/throwables/throwables.ts'
import { InvalidArgumentException } from '../../base/errors.ts'
import { Observability } from '../observability/observability.ts'
import type { JobOutcomes, JobResult } from './job-result.ts'
import type { LeasedJob } from './job-store.ts'
import type { JobHandler } from './job.ts'
import { Leases } from './leases.ts'
import { QueueMetrics } from './queue-metrics.ts'
import type { Queue } from './queue.ts'
import { runJob } from './run-job.ts'
import { Wakeup } from './wakeup.ts'

/** How a queue is drained. */
export interface DrainOptions {
  /** How many jobs are worked on at once; 1 unless given. */
  readonly concurrency?: number
  /** Whether it ends when no job waits; else it goes on until `signal`. */
  readonly once?: boolean
  /** Ends it: no further job is taken, those in hand are finished. */
  readonly signal?: AbortSignal
  /** Seconds between two looks at a queue that was empty; 1 unless given. */
  readonly poll?: number
  /** Hears of every attempt. */
  readonly onResult?: (result: JobResult) => void
  /** Told of jobs that are dead and of a store that fails; the shared one unless given. */
  readonly throwables?: Throwables
  /** Where attempts are counted; the registry of this process unless given, null for nowhere. */
  readonly registry?: Observability | null
}

/** How many attempts ended in each way. */
export type DrainTally = Readonly<Record<JobOutcomes, number>>

const sweepEveryMs = 60_000
const maxPauseMs = 30_000

/**
 * Takes jobs from a queue and hands them to `handler`. A store that fails is reported once and tried
 * again with growing pauses; with `once` its error is thrown.
 * @throws InvalidArgumentException for an option that cannot work.
 */
export async function drain<Payload>(
  queue: Queue<Payload>,
  handler: JobHandler<Payload>,
  options: DrainOptions = {},
): Promise<DrainTally> {
  return new Drain(queue, handler, options).run()
}

class Drain<Payload> {
  readonly #queue: Queue<Payload>
  readonly #handler: JobHandler<Payload>
  readonly #options: DrainOptions
  readonly #concurrency: number
  readonly #pollMs: number
  readonly #throwables: Throwables
  readonly #leases: Leases
  readonly #wakeup = new Wakeup()
  readonly #running = new Set<Promise<JobResult>>()
  readonly #tally = { done: 0, failed: 0, dead: 0, lost: 0 }
  #failures = 0
  #sweptMs = -Infinity

  constructor(queue: Queue<Payload>, handler: JobHandler<Payload>, options: DrainOptions) {
    this.#queue = queue
    this.#handler = handler
    this.#options = options
    this.#concurrency = checked('concurrency', options.concurrency ?? 1, 1, 1_024, true)
    this.#pollMs = checked('poll', options.poll ?? 1, 0.001, 3_600, false) * 1_000
    this.#throwables = options.throwables ?? Throwables
    this.#leases = new Leases(queue.store, queue.options)
  }

  async run(): Promise<DrainTally> {
    const { signal } = this.#options
    const stop = (): void => this.#wakeup.wake()
    signal?.addEventListener('abort', stop)
    this.#leases.start()
    try {
      while (!this.#isStopped() && (await this.#turn())) continue
    } finally {
      await Promise.all(this.#running)
      this.#leases.stop()
      signal?.removeEventListener('abort', stop)
    }
    return this.#tally
  }

  /** Takes what fits, then waits until there is something to do. False when all is done. */
  async #turn(): Promise<boolean> {
    const free = this.#concurrency - this.#running.size
    const jobs = free === 0 ? [] : await this.#claim(free)
    if (jobs === null) {
      await this.#wakeup.wait(Math.min(maxPauseMs, 1_000 * 2 ** (this.#failures - 1)))
      return true
    }
    for (const job of jobs) this.#begin(job)
    if (this.#options.once === true && this.#running.size === 0) return false
    await this.#wakeup.wait(this.#pollMs)
    return true
  }

  /** Null when the store failed. */
  async #claim(limit: number): Promise<readonly LeasedJob[] | null> {
    const { name, store, options } = this.#queue
    try {
      await this.#sweep()
      const jobs = await store.claim(name, limit, options.visibility)
      this.#failures = 0
      return jobs
    } catch (thrown) {
      if (this.#options.once === true) throw thrown
      if (this.#failures === 0) this.#throwables.notify(thrown, { queue: name })
      this.#failures += 1
      return null
    }
  }

  async #sweep(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - this.#sweptMs < sweepEveryMs) return
    this.#sweptMs = nowMs
    await this.#queue.store.sweep(this.#queue.name, this.#queue.options.remember)
  }

  #begin(job: LeasedJob): void {
    const context = { leases: this.#leases, throwables: this.#throwables }
    const running = runJob(this.#queue, this.#handler, job, context)
    this.#running.add(running)
    void this.#follow(running)
  }

  async #follow(running: Promise<JobResult>): Promise<void> {
    const result = await running
    this.#running.delete(running)
    this.#tell(result)
    this.#wakeup.wake()
  }

  #tell(result: JobResult): void {
    const { registry = Observability.Instance } = this.#options
    this.#tally[result.outcome] += 1
    if (registry !== null) QueueMetrics.in(registry).count(this.#queue.name, result.outcome)
    try {
      this.#options.onResult?.(result)
    } catch (thrown) {
      this.#throwables.notify(thrown, { queue: this.#queue.name })
    }
  }

  #isStopped(): boolean {
    return this.#options.signal?.aborted === true
  }
}

function checked(name: string, value: number, least: number, most: number, whole: boolean): number {
  const fits = typeof value === 'number' && value >= least && value <= most
  if (fits && (!whole || Number.isInteger(value))) return value
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${name} of drain is a ${whole ? 'whole ' : ''}number from ${least} to ${most}, got ${String(value)}`,
  )
}
