import { epochMs } from '../base/time/epoch-seconds.ts'
import { Counter } from '../metrics/instruments/counter.ts'
import { Gauge } from '../metrics/instruments/gauge.ts'
import { Histogram } from '../metrics/instruments/histogram.ts'
import { perRegistry } from '../metrics/observability.ts'
import type { Observability } from '../metrics/observability.ts'
import { measurePeriodically } from '../queue/queue-metrics.ts'
import type { Measurement, MeasureOptions } from '../queue/queue-metrics.ts'
import { TaskOutcomes } from './bound-task.ts'
import type { BoundTask } from './bound-task.ts'
import type { ScheduleStore } from './schedule-store.ts'

/** Tasks may take an hour. */
const bounds = [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600]

/** The instruments of the schedule in one registry. */
export class ScheduleMetrics {
  /** The instruments of a registry, registered on first use. */
  static readonly in: (registry: Observability) => ScheduleMetrics = perRegistry(
    (registry) => new ScheduleMetrics(registry),
  )

  readonly #registry: Observability
  readonly #runs = new Counter('schedule_runs_total', {
    help: 'Due times of tasks, by what became of them.',
  })
  readonly #durations = new Histogram('schedule_run_duration_seconds', {
    help: 'Time of a run of a task, by outcome.',
    buckets: bounds,
  })
  // All processes read the same store, so their values must not be added.
  readonly #success = new Gauge('schedule_last_success_timestamp_seconds', {
    help: 'When a run of the task last ended well.',
    merge: 'max',
  })
  readonly #overdue = new Gauge('schedule_overdue_seconds', {
    help: 'How long the first due time that nobody has run yet has been due.',
    merge: 'max',
  })

  private constructor(registry: Observability) {
    this.#registry = registry
  }

  /** Lets the counts of a task start at 0, so that the first failure is a rise. */
  expect(task: string): void {
    this.#registry.metrics.push(this.#runs)
    for (const outcome of Object.values(TaskOutcomes)) this.#runs.with({ task, outcome })
  }

  /** Counts due times. */
  count(task: string, outcome: TaskOutcomes, times: number = 1): void {
    this.#runs.with({ task, outcome }).increment(times)
  }

  /** Counts a run that has ended. */
  time(task: string, outcome: TaskOutcomes, seconds: number): void {
    this.count(task, outcome)
    this.#registry.metrics.push(this.#durations)
    this.#durations.with({ task, outcome }).observe(seconds)
  }

  /** Sets the gauges of a task; null for no success yet. */
  show(task: string, success: number | null, overdue: number): void {
    this.#registry.metrics.push(this.#overdue)
    this.#overdue.with({ task }).set(overdue)
    if (success === null) return
    this.#registry.metrics.push(this.#success)
    this.#success.with({ task }).set(success)
  }
}

/** What is measured. */
export interface MeasuredSchedule {
  readonly tasks: readonly Pick<BoundTask, 'name' | 'times'>[]
  readonly store: ScheduleStore
  /** Epoch milliseconds. @default the clock of the process */
  readonly nowMs?: () => number
}

/**
 * Publishes the last success of each task, and how long it has been overdue, in the process that is
 * scraped: they matter most when no process runs the schedule.
 */
export function measureSchedule(
  { tasks, store, nowMs = epochMs }: MeasuredSchedule,
  options: MeasureOptions = {},
): Measurement {
  return measurePeriodically(options, { origin: 'schedule' }, async (registry) => {
    const states = new Map((await store.list()).map((state) => [state.task, state]))
    for (const { name, times } of tasks) {
      const state = states.get(name)
      if (state === undefined) {
        // Otherwise nobody would see that no process runs the schedule.
        await store.register([{ task: name, expression: times.expression }], nowMs())
        continue
      }
      const { successMs, dueMs } = state
      const overdueMs = Math.max(0, nowMs() - (times.next(dueMs) ?? Number.POSITIVE_INFINITY))
      const success = successMs === null ? null : successMs / 1_000
      ScheduleMetrics.in(registry).show(name, success, overdueMs / 1_000)
    }
  })
}
