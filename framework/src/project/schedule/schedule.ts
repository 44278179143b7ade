import { ConfigurationError } from '../../base/errors.ts'
import { bindTasks } from '../../schedule/bound-task.ts'
import type { BoundTask } from '../../schedule/bound-task.ts'
import type { Task, TaskRules, TaskTimes } from '../../schedule/task.ts'
import type { ScheduleStore } from '../../schedule/schedule-store.ts'
import type { Sweeps } from '../sweepable.ts'

/** The schedule of a project. */
export interface Schedule<Services> {
  readonly tasks: readonly Task<Services>[]
  /** Where all processes agree on who runs what: `({ database }) => new SqlSchedule(database)`. */
  readonly store: (services: Services) => ScheduleStore
  /** When the `sweeps` of the project run by themselves, as a task `sweep`: `{ cron: '15 4 * * *' }`. @default never */
  readonly sweep?: TaskTimes & TaskRules
  /** Seconds after which a task may run again whose process has died. @default 60 */
  readonly lease?: number
}

/** The schedule of a project with its services. */
export interface BoundSchedule {
  readonly tasks: readonly BoundTask[]
  readonly store: ScheduleStore
  readonly lease: number
}

/**
 * Binds a schedule to the services of its project.
 * @throws ConfigurationError E_SCHEDULE for an invalid time of the sweeps.
 */
export async function bindSchedule<Services>(
  { tasks, store, sweep, lease = 60 }: Schedule<Services>,
  services: Services,
  sweeps: Sweeps,
): Promise<BoundSchedule> {
  const own = bindTasks(tasks, services)
  if (sweep === undefined) return { tasks: own, store: store(services), lease }
  const { sweepTask } = await import('../sweeps/sweep-task.ts')
  const swept = bindTasks([sweepTask(sweep)], sweeps)
  return { tasks: [...own, ...swept], store: store(services), lease }
}

/** @throws ConfigurationError E_SCHEDULE for an invalid schedule, or a task that is listed twice. */
export function checkSchedule(schedule: unknown): void {
  if (!isObject(schedule) || !Array.isArray(schedule['tasks'])) {
    throw problem('must be an object with a list "tasks" and a function "store"')
  }
  const { tasks, store, lease = 60 } = schedule
  if (typeof store !== 'function') throw problem('needs "store", a function that returns the store')
  if (typeof lease !== 'number' || !(lease >= 1 && lease <= 86_400)) {
    throw problem('has a "lease" that is not from 1 to 86400 seconds')
  }
  const names = new Set<unknown>(schedule['sweep'] === undefined ? [] : ['sweep'])
  for (const entry of tasks) {
    const { name } = isTask(entry) ? entry : { name: undefined }
    if (name === undefined) throw problem('lists something that is not made by task(…).run(…)')
    if (names.has(name)) throw problem(`lists the task ${name} twice`)
    names.add(name)
  }
}

// They may come from untyped code.
function isTask(value: unknown): value is { readonly name: string } {
  if (!isObject(value) || typeof value['name'] !== 'string') return false
  return typeof value['run'] === 'function' && isObject(value['times'])
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function problem(text: string): ConfigurationError {
  return new ConfigurationError('E_SCHEDULE', `defineProject: "schedule" ${text}`)
}
