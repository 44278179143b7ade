import { Throwables } from '../errors/throwables/throwables.ts'
import { Observability } from '../metrics/observability.ts'
import { QueueMetrics } from './queue-metrics.ts'
import type { Queue } from './queue.ts'

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
