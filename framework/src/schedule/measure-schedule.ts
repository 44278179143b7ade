import { Throwables } from '../errors/throwables/throwables.ts'
import { epochMs } from '../base/time/epoch-seconds.ts'
import { Observability } from '../metrics/observability.ts'
import type { Measurement, MeasureOptions } from '../queue/measure-queue.ts'
import type { BoundTask } from './bind-tasks.ts'
import { ScheduleMetrics } from './schedule-metrics.ts'
import type { ScheduleStore } from './schedule-store.ts'

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
  const { interval = 15, throwables = Throwables } = options
  let isReported = false
  const look = async (): Promise<void> => {
    const { registry = Observability.Instance } = options
    if (registry === null) return
    try {
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
      isReported = false
    } catch (thrown) {
      if (!isReported) throwables.notify(thrown, { origin: 'schedule' })
      isReported = true
    }
  }
  const timer = setInterval(() => void look(), interval * 1_000).unref()
  void look()
  return { look, close: () => clearInterval(timer) }
}
