import cluster from 'node:cluster'
import { resolve } from 'node:path'
import type { Environments } from '../../app/environments/environments.ts'
import { toError } from '../../base/debugging/to-error.ts'
import { banner } from '../banner.ts'
import { enterEnvironment } from '../enter-environment.ts'
import { ExitStatus } from '../exit-status.ts'
import { frameworkCode } from '../explain-error.ts'
import type { Terminal } from '../terminal.ts'

/** What `framework serve` takes. */
export interface ServeFlags {
  readonly project: string
  readonly environment?: Environments
  readonly host?: string
  readonly port?: number
  readonly workers?: number | 'auto'
  readonly https?: boolean
  readonly watch?: boolean
}

/** Serves a project. Resolves when it answers; signals end the process later. */
export async function serve(flags: ServeFlags, terminal: Terminal): Promise<ExitStatus> {
  const root = resolve(flags.project)
  if (flags.watch === true) {
    const { superviseServer } = await import('../watch/supervise-server.ts')
    return superviseServer(root, terminal)
  }
  const { environment } = enterEnvironment(root, flags.environment)
  const { serveProject } = await import('../../web/projects/serve-project.ts')
  const { leaveFleet } = await import('../../web/server/workers.ts')
  try {
    const { host, port, workers, https } = flags
    const served = await serveProject({ root, environment, host, port, workers, https })
    if (cluster.isPrimary) {
      terminal.out(banner({ ...served, lines: served.banner }, terminal))
      // A server under --watch must not outlive it and keep the port.
      if (process.connected) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
    }
    return ExitStatus.Ok
  } catch (thrown) {
    if (cluster.isPrimary) throw thrown
    await leaveFleet()
    // The primary was told and says it once for all workers; a stack only we have.
    if (frameworkCode(toError(thrown)) === null) throw thrown
    return ExitStatus.UserError
  }
}
