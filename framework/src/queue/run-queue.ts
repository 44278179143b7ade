import { Wakeup } from '../base/time/wakeup.ts'
import { Throwables } from '../errors/throwables/throwables.ts'
import { Observability } from '../metrics/observability.ts'
import { StepMetrics } from '../metrics/step-metrics.ts'
import type { LeasedJob } from './job-store.ts'
import type { JobOutcomes, JobResult, JobHandler } from './job.ts'
import { Leases } from './leases.ts'
import { QueueMetrics } from './queue-metrics.ts'
import { checkNumber } from './queue.ts'
import type { Queue } from './queue.ts'
import { runJob } from './run-job.ts'

/** Options of `runQueue`. */
export interface RunQueueOptions {
  /** How many jobs run at the same time. @default 1 */
  readonly concurrency?: number
  /** Stop when no job is waiting, instead of running until `signal`. @default false */
  readonly once?: boolean
  /** Stops the run: no further job is claimed, running jobs are completed. */
  readonly signal?: AbortSignal
  /** Seconds between two polls of an empty queue. @default 1 */
  readonly poll?: number
  /** Called after every attempt. */
  readonly onResult?: (result: JobResult) => void
  /** Receives reports of dead jobs and store failures. @default the shared `Throwables` */
  readonly throwables?: Throwables
  /** Registry that counts and times attempts and their steps; null for none. @default Observability.Instance */
  readonly registry?: Observability | null
}

/** Number of attempts by outcome. */
export type JobTally = Readonly<Record<JobOutcomes, number>>

const sweepEveryMs = 60_000
const maxPauseMs = 30_000

/**
 * Claims jobs of a queue and runs them with `handler`. A store failure is reported once and retried
 * with growing pauses; with `once` it is thrown.
 * @throws InvalidArgumentException for an invalid option.
 */
export async function runQueue<Payload>(
  queue: Queue<Payload>,
  handler: JobHandler<Payload>,
  options: RunQueueOptions = {},
): Promise<JobTally> {
  return new QueueRunner(queue, handler, options).run()
}

/** A queue and its handler, as listed by a project. */
export interface QueueWorker {
  readonly queue: Queue
  run(options?: RunQueueOptions): Promise<JobTally>
}

/** Combines a queue and its handler: `queueWorker(mails, (job) => send(job.payload))`. */
export function queueWorker<Payload>(
  queue: Queue<Payload>,
  handler: JobHandler<Payload>,
): QueueWorker {
  return { queue, run: (options) => runQueue(queue, handler, options) }
}

class QueueRunner<Payload> {
  readonly #queue: Queue<Payload>
  readonly #handler: JobHandler<Payload>
  readonly #options: RunQueueOptions
  readonly #concurrency: number
  readonly #pollMs: number
  readonly #throwables: Throwables
  readonly #leases: Leases
  readonly #wakeup = new Wakeup()
  readonly #running = new Set<Promise<JobResult>>()
  readonly #tally = { done: 0, failed: 0, dead: 0, lost: 0 }
  #failures = 0
  #sweptMs = -Infinity

  constructor(queue: Queue<Payload>, handler: JobHandler<Payload>, options: RunQueueOptions) {
    this.#queue = queue
    this.#handler = handler
    this.#options = options
    this.#concurrency = checkNumber('concurrency of runQueue', options.concurrency ?? 1, {
      min: 1,
      max: 1_024,
      whole: true,
    })
    this.#pollMs =
      1_000 *
      checkNumber('poll of runQueue', options.poll ?? 1, { min: 0.001, max: 3_600, whole: false })
    this.#throwables = options.throwables ?? Throwables
    this.#leases = new Leases(queue.store, queue.options)
  }

  async run(): Promise<JobTally> {
    const { signal, registry = Observability.Instance } = this.#options
    const stop = (): void => this.#wakeup.wake()
    if (registry !== null) QueueMetrics.in(registry).expect(this.#queue.name)
    const unwatch = registry === null ? null : StepMetrics.watch(registry)
    signal?.addEventListener('abort', stop)
    this.#leases.start()
    try {
      while (!this.#isStopped() && (await this.#step())) continue
    } finally {
      await Promise.all(this.#running)
      this.#leases.stop()
      unwatch?.()
      signal?.removeEventListener('abort', stop)
    }
    return this.#tally
  }

  /** Claims as many jobs as can run, then waits for something to do. False when all is done. */
  async #step(): Promise<boolean> {
    const free = this.#concurrency - this.#running.size
    const jobs = free === 0 ? [] : await this.#claim(free)
    if (jobs === null) {
      await this.#wakeup.wait(Math.min(maxPauseMs, 1_000 * 2 ** (this.#failures - 1)))
      return true
    }
    for (const job of jobs) this.#start(job)
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

  #start(job: LeasedJob): void {
    const context = { leases: this.#leases, throwables: this.#throwables }
    const startMs = performance.now()
    const running = runJob(this.#queue, this.#handler, job, context)
    this.#running.add(running)
    void this.#awaitResult(running, startMs)
  }

  async #awaitResult(running: Promise<JobResult>, startMs: number): Promise<void> {
    const result = await running
    this.#running.delete(running)
    this.#record(result, (performance.now() - startMs) / 1_000)
    this.#wakeup.wake()
  }

  #record(result: JobResult, seconds: number): void {
    const { registry = Observability.Instance } = this.#options
    this.#tally[result.outcome] += 1
    if (registry !== null)
      QueueMetrics.in(registry).count(this.#queue.name, result.outcome, seconds)
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
