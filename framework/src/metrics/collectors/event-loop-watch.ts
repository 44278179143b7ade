import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { EventLoopUtilization } from 'node:perf_hooks'

/** Sampling interval; a finer one would cost noticeable CPU time in an idle process. */
const resolutionMs = 20
/** Reads within this time get the same figures, so that several readers do not reset each other. */
const minWindowMs = 1_000

/** Delay of the event loop in seconds, and the share of time it was busy. */
export interface EventLoopFigures {
  readonly mean: number
  readonly p99: number
  readonly max: number
  readonly utilization: number
}

/** Measures the event loop until closed; the figures cover the time since the previous read. */
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
    if (this.#figures === null || nowMs - this.#readMs >= minWindowMs) {
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

/** Node measures from one sample to the next; the time beyond the interval is the delay. */
function lateness(nanoseconds: number): number {
  const late = nanoseconds / 1e9 - resolutionMs / 1e3
  // Without samples the mean is NaN.
  return late > 0 ? late : 0
}
