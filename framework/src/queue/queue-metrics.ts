import { Throwables } from '../errors/throwables/throwables.ts'
import { Counter } from '../metrics/instruments/counter.ts'
import { Gauge } from '../metrics/instruments/gauge.ts'
import { Histogram } from '../metrics/instruments/histogram.ts'
import { Observability, perRegistry } from '../metrics/observability.ts'
import type { QueueCounts } from './job-store.ts'
import { JobOutcomes } from './job.ts'
import type { Queue } from './queue.ts'

/** Jobs may take minutes. */
/** Of the time that measuring may take. */
const share = 0.01
/** Times the interval that a measurement comes later. */
const maxTurns = 20
const bounds = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** The instruments of all queues in one registry. */
export class QueueMetrics {
  /** The instruments of a registry, registered on first use. */
  static readonly in: (registry: Observability) => QueueMetrics = perRegistry(
    (registry) => new QueueMetrics(registry),
  )

  readonly #registry: Observability
  // All processes measure the same store, so their values must not be added.
  readonly #depth = new Gauge('queue_depth', { help: 'Jobs in the queue, by state.', merge: 'max' })
  readonly #age = new Gauge('queue_age_seconds', {
    help: 'How long the oldest waiting job has been due.',
    merge: 'max',
  })
  readonly #jobs = new Counter('queue_jobs_total', {
    help: 'Attempts of jobs, by outcome.',
  })
  readonly #durations = new Histogram('queue_job_duration_seconds', {
    help: 'Time of an attempt of a job, by outcome.',
    buckets: bounds,
  })

  private constructor(registry: Observability) {
    this.#registry = registry
    registry.metrics.push(this.#depth, this.#age, this.#jobs)
  }

  /** Lets the counts of a queue start at 0, so that the first dead job is a rise. */
  expect(queue: string): void {
    for (const outcome of Object.values(JobOutcomes)) this.#jobs.with({ queue, outcome })
  }

  /** Counts an attempt that has ended after so many seconds. */
  count(queue: string, outcome: JobOutcomes, seconds: number): void {
    this.#jobs.with({ queue, outcome }).increment()
    // Registered with the first one: a process that runs no jobs has no durations.
    this.#registry.metrics.push(this.#durations)
    this.#durations.with({ queue, outcome }).observe(seconds)
  }

  /** Sets the gauges of a queue. */
  show(queue: string, { waiting, delayed, running, dead, age }: QueueCounts): void {
    for (const [state, depth] of Object.entries({ waiting, delayed, running, dead })) {
      this.#depth.with({ queue, state }).set(depth)
    }
    this.#age.with({ queue }).set(age)
  }
}

/** Options of `measureQueue`. */
export interface MeasureOptions {
  /** Seconds between two measurements. @default 15 */
  readonly interval?: number
  /** @default Observability.Instance at the time of each measurement */
  readonly registry?: Observability | null
  /** Receives one report per outage of the store. */
  readonly throwables?: Throwables
}

/** Measures a queue periodically until closed. */
export interface Measurement {
  /** Measures now. Never rejects. */
  look(): Promise<void>
  close(): void
}

/**
 * Publishes depth and age of a queue as `queue_depth` and `queue_age_seconds`. Call it in the
 * processes that are scraped: the values matter most when no worker is running.
 */
export function measureQueue(queue: Queue, options: MeasureOptions = {}): Measurement {
  return measurePeriodically(options, { queue: queue.name }, async (registry) => {
    QueueMetrics.in(registry).show(queue.name, await queue.counts())
  })
}

/**
 * Calls `measure` at once and at intervals, which are longer where it takes long: counting a full queue must not be
 * what a database does. `context` goes with the report of an outage.
 */
export function measurePeriodically(
  options: MeasureOptions,
  context: Readonly<Record<string, unknown>>,
  measure: (registry: Observability) => Promise<void>,
): Measurement {
  const { interval = 15, throwables = Throwables } = options
  let isReported = false
  const look = async (): Promise<void> => {
    const { registry = Observability.Instance } = options
    if (registry === null) return
    try {
      await measure(registry)
      isReported = false
    } catch (thrown) {
      if (!isReported) throwables.notify(thrown, context)
      isReported = true
    }
  }
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const turn = async (): Promise<void> => {
    const beganMs = performance.now()
    await look()
    if (isClosed) return
    const tookMs = isReported ? 0 : performance.now() - beganMs
    const turns = Math.min(Math.max(1, tookMs / (interval * share * 1_000)), maxTurns)
    timer = setTimeout(() => void turn(), interval * turns * 1_000).unref()
  }
  void turn()
  const close = (): void => {
    isClosed = true
    clearTimeout(timer)
  }
  return { look, close }
}
