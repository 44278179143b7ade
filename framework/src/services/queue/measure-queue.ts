import { Throwables } from '../../base/throwables/throwables.ts'
import { Observability } from '../observability/observability.ts'
import { QueueMetrics } from './queue-metrics.ts'
import type { Queue } from './queue.ts'

/** How a queue is measured. */
export interface MeasureOptions {
  /** Seconds between two looks; 15 unless given. */
  readonly interval?: number
  /** The registry of this process at the time of each look, unless given. */
  readonly registry?: Observability | null
  /** Told once when the store fails, and again after it has worked. */
  readonly throwables?: Throwables
}

/** A queue that is looked at now and then, until it is closed. */
export interface Measurement {
  /** Looks now. Never rejects. */
  look(): Promise<void>
  close(): void
}

/**
 * Publishes depth and age of a queue as `queue_depth` and `queue_age_seconds`. Do it in the processes
 * that are scraped: what matters most is what they say when no worker runs.
 */
export function measureQueue(queue: Queue, options: MeasureOptions = {}): Measurement {
  const { interval = 15, throwables = Throwables } = options
  let isReported = false
  const look = async (): Promise<void> => {
    const { registry = Observability.Instance } = options
    if (registry === null) return
    try {
      QueueMetrics.in(registry).show(queue.name, await queue.counts())
      isReported = false
    } catch (thrown) {
      if (!isReported) throwables.notify(thrown, { queue: queue.name })
      isReported = true
    }
  }
  const timer = setInterval(() => void look(), interval * 1_000).unref()
  void look()
  return { look, close: () => clearInterval(timer) }
}
