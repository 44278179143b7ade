import type { Logs } from '../../logs/logs.ts'
import { routeSet } from '../../http/router/route-set.ts'
import type { RouteSet } from '../../http/router/route-set.ts'
import { Worker } from '../../http/server/fleet/worker-events.ts'
import type { ServerHost } from '../../http/server/server-host.ts'
import type { BoundSchedule } from './schedule.ts'

/** Options of `serveSchedule`. */
export interface ServeScheduleOptions {
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
  const { measureSchedule } = await import('../../schedule/schedule-metrics.ts')
  const measurement = measureSchedule({ tasks, store }, { throwables: server.throwables })
  server.onClose(() => measurement.close())
}

async function run(
  schedule: BoundSchedule,
  { logs, drain }: ServeScheduleOptions,
  { emitter, throwables, onClose }: ServerHost,
): Promise<void> {
  const { ScheduleRunner } = await import('../../schedule/schedule-runner.ts')
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
