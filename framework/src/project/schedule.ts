import { bindTasks } from '../schedule/bound-task.ts'
import type { BoundTask } from '../schedule/bound-task.ts'
import type { ScheduleStore } from '../schedule/schedule-store.ts'
import type { Task, TaskRules, TaskTimes } from '../schedule/task.ts'
import type { Sweeps } from './sweeps.ts'
import type { Logs } from '../logs/logs.ts'
import { routeSet } from '../http/router/route-set.ts'
import type { RouteSet } from '../http/router/route-set.ts'
import { Worker } from '../http/server/fleet/worker-events.ts'
import type { ServerHost } from '../http/server/server-host.ts'

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
  { sweeps, timeZone }: { readonly sweeps: Sweeps; readonly timeZone: string },
): Promise<BoundSchedule> {
  const own = bindTasks(tasks, services, timeZone)
  if (sweep === undefined) return { tasks: own, store: store(services), lease }
  const { sweepTask } = await import('./sweeps.ts')
  const swept = bindTasks([sweepTask(sweep)], sweeps, timeZone)
  return { tasks: [...own, ...swept], store: store(services), lease }
}

/** Options of `serveSchedule`. */
interface ServeScheduleOptions {
  readonly logs: Logs
  /** Whether this server runs the tasks, rather than `framework schedule run`. */
  readonly runs: boolean
  /** Seconds that running tasks get to finish at shutdown. */
  readonly drain: number
}

/**
 * A set without routes that measures the schedule of a project while its server listens, and runs it if
 * the settings say so. Only the first worker of a fleet does: the store decides between machines.
 */
export function serveSchedule(
  schedule: BoundSchedule,
  options: ServeScheduleOptions,
): RouteSet<unknown> {
  return routeSet<unknown>('Schedule', (_router, _services, server) => {
    if (server.worker.slot !== 1) return
    server.onServe(() => measure(schedule, server))
    if (options.runs) server.onServe(() => run(schedule, options, server))
  })
}

async function measure({ tasks, store }: BoundSchedule, server: ServerHost): Promise<void> {
  const { measureSchedule } = await import('../schedule/schedule-metrics.ts')
  const measurement = measureSchedule({ tasks, store }, { throwables: server.throwables })
  server.onClose(() => measurement.close())
}

async function run(
  schedule: BoundSchedule,
  { logs, drain }: ServeScheduleOptions,
  { emitter, throwables, onClose }: ServerHost,
): Promise<void> {
  const { ScheduleRunner } = await import('../schedule/schedule-runner.ts')
  const log = logs.channel('schedule')
  const runner = new ScheduleRunner({ ...schedule, log, throwables })
  let stopping: Promise<void> | null = null
  const stop = (): Promise<void> => (stopping ??= runner.stop(drain))
  // Tasks and requests get the same time to finish, side by side.
  const ignore = emitter.listen(Worker.Shutdown, () => void stop())
  onClose(() => {
    ignore()
    return stop()
  })
  await runner.start()
}
