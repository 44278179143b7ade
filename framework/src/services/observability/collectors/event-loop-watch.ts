import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { EventLoopUtilization } from 'node:perf_hooks'

/** Milliseconds between two looks at the clock: finer ones would be felt in an idle process. */
const resolutionMs = 20
/** Readers that come closer together see the same figures, and none takes them from another. */
const leastWindowMs = 1_000

/** How late the event loop was, in seconds, and which share of its time it worked. */
export interface EventLoopFigures {
  readonly mean: number
  readonly p99: number
  readonly max: number
  readonly utilization: number
}

/** Watches the event loop until it is closed; the figures are those of the time since they were last read. */
export class EventLoopWatch {
  readonly #delays = monitorEventLoopDelay({ resolution: resolutionMs })
  readonly #nowMs: () => number
  #utilization: EventLoopUtilization = performance.eventLoopUtilization()
  #figures: EventLoopFigures | null = null
  #readMs = 0

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
    this.#delays.enable()
  }

  read(): EventLoopFigures {
    const nowMs = this.#nowMs()
    if (this.#figures === null || nowMs - this.#readMs >= leastWindowMs) {
      this.#figures = this.#take()
      this.#readMs = nowMs
    }
    return this.#figures
  }

  close(): void {
    this.#delays.disable()
  }

  #take(): EventLoopFigures {
    const delays = this.#delays
    const utilization = performance.eventLoopUtilization()
    const figures = {
      mean: lateness(delays.mean),
      p99: lateness(delays.percentile(99)),
      max: lateness(delays.max),
      utilization: performance.eventLoopUtilization(utilization, this.#utilization).utilization,
    }
    this.#utilization = utilization
    delays.reset()
    return figures
  }
}

/** Node counts from one look at the clock to the next; what goes beyond the interval is lateness. */
function lateness(nanoseconds: number): number {
  const late = nanoseconds / 1e9 - resolutionMs / 1e3
  // Without a single look the mean is NaN.
  return late > 0 ? late : 0
}
