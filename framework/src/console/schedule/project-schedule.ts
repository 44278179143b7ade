import { ConfigurationError } from '../../base/errors.ts'
import type { Logs } from '../../logs/logs.ts'
import type { BoundSchedule } from '../../project/schedule/schedule.ts'
import { enterEnvironment } from '../enter-environment.ts'
import type { ProjectFlags } from '../project-queues.ts'

/** The schedule of a project without a server. */
export interface OpenSchedule {
  readonly schedule: BoundSchedule
  readonly logs: Logs
  /** Seconds that running tasks get to finish. */
  readonly drain: number
}

/** Runs `work` with the schedule of a project, then closes its services. */
export async function withProjectSchedule<T>(
  { project: root, environment: chosen }: ProjectFlags,
  output: NodeJS.WriteStream,
  work: (open: OpenSchedule) => Promise<T>,
): Promise<T> {
  const { environment } = enterEnvironment(root, chosen)
  // Imported here because the environment must be set before any module of the project is loaded.
  const { assembleServices } = await import('../../project/assemble-services.ts')
  const { built, logs, close } = await assembleServices(
    { root, environment },
    { channel: 'schedule', output },
    async (project, host, context, source) => ({
      schedule: await project.schedule(host, context, source),
      drain: context.server.drain,
    }),
  )
  try {
    const { schedule, drain } = built
    if (schedule === null) throw noSchedule()
    return await work({ schedule, logs, drain })
  } finally {
    await close()
  }
}

function noSchedule(): ConfigurationError {
  return new ConfigurationError(
    'E_SCHEDULE',
    'the project has no "schedule" in defineProject(); list its tasks there',
  )
}
