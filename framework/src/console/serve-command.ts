import cluster from 'node:cluster'
import { resolve } from 'node:path'
import { Environments } from '../settings/environments.ts'
import { Throwables } from '../errors/throwables/throwables.ts'
import type { BannerLine } from '../project/project.ts'
import type { ServedProject } from '../project/start/serve-project.ts'
import { toError } from '../base/to-error.ts'
import { frameworkCode } from '../base/error-codes.ts'
import { enterEnvironment } from './with-project.ts'
import type { ProjectFlags } from './with-project.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import type { Terminal } from '../base/terminal/terminal.ts'

/** Options of `framework serve`. */
export interface ServeFlags extends ProjectFlags {
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
    const { superviseServer } = await import('../project/watch/supervise-server.ts')
    return superviseServer(root, terminal)
  }
  const source = enterEnvironment(root, flags.environment)
  const { environment } = source
  const { serveProject, UncaughtInWorker } = await import('../project/start/serve-project.ts')
  const { leaveFleet } = await import('../http/server/fleet/workers.ts')
  try {
    const { host, port, workers, https } = flags
    const served = await serveProject({ root, environment, host, port, workers, https })
    if (cluster.isPrimary) {
      terminal.out(banner(served, terminal))
      if (environment !== Environments.Development && environment !== Environments.Test) {
        const { printProblems } = await import('../project/checks/check-commands.ts')
        await printProblems({ root, source, host, port, workers, https }, terminal)
      }
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

/** The text shown when a project is being served: a block on a screen, one line in a log. */
export function banner(
  served: Omit<ServedProject, 'host' | 'port' | 'close'>,
  { screen, paint }: Terminal,
): string {
  const lines: BannerLine[] = [
    { label: 'environment', value: served.environment },
    { label: 'workers', value: String(served.workers) },
    ...served.banner,
    { label: 'pid', value: String(process.pid) },
  ]
  if (!screen) {
    const fields = lines.map(({ label, value }) => `${label}=${quoted(value)}`)
    return `${served.name} serves ${served.url} ${fields.join(' ')}\n`
  }
  const width = Math.max(...lines.map(({ label }) => label.length))
  const rows = lines.map(({ label, value }) => `  ${paint.dim(label.padEnd(width))}  ${value}`)
  const head = `  ${paint.bold(served.name)} serves ${paint.cyan(served.url)}`
  return ['', head, '', ...rows, '', paint.dim('  Press Ctrl-C to stop.'), '', ''].join('\n')
}

function quoted(value: string): string {
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}
