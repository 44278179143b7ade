import cluster from 'node:cluster'
import { resolve } from 'node:path'
import type { Environments } from '../../settings/environments.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import { toError } from '../../base/to-error.ts'
import { frameworkCode } from '../../base/framework-code.ts'
import { banner } from '../banner.ts'
import { printFindings } from '../print-findings.ts'
import { enterEnvironment } from '../enter-environment.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'

/** Options of `framework serve`. */
export interface ServeFlags {
  readonly project: string
  readonly environment?: Environments
  readonly host?: string
  readonly port?: number
  readonly workers?: number | 'auto'
  readonly https?: boolean
  readonly watch?: boolean
}

/** Serves a project. Resolves when it accepts requests; signals end the process later. */
export async function serve(flags: ServeFlags, terminal: Terminal): Promise<ExitStatus> {
  const root = resolve(flags.project)
  if (flags.watch === true) {
    const { superviseServer } = await import('../../project/watch/supervise-server.ts')
    return superviseServer(root, terminal)
  }
  const source = enterEnvironment(root, flags.environment)
  const { environment } = source
  const { serveProject } = await import('../../project/serve-project.ts')
  const { UncaughtInWorker } = await import('../../project/worker-failures.ts')
  const { leaveFleet } = await import('../../http/server/fleet/workers.ts')
  try {
    const { host, port, workers, https } = flags
    const served = await serveProject({ root, environment, host, port, workers, https })
    if (cluster.isPrimary) {
      terminal.out(banner({ ...served, lines: served.banner }, terminal))
      await printFindings({ root, source, host, port, workers, https }, terminal)
      // A server under --watch must not outlive it and keep the port.
      if (process.connected) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
    }
    return ExitStatus.Ok
  } catch (thrown) {
    if (cluster.isPrimary) {
      if (!(thrown instanceof UncaughtInWorker)) throw thrown
      terminal.err(thrown.report)
      return ExitStatus.Uncaught
    }
    await leaveFleet()
    if (frameworkCode(toError(thrown)) !== null) return ExitStatus.UserError
    // The primary prints the error once for all workers; this process only calls its reporters.
    Throwables.report = () => {}
    throw thrown
  }
}
