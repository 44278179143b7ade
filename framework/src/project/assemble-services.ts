import { resolve } from 'node:path'
import { loadEnvironment } from '../settings/env-source.ts'
import type { EnvSource } from '../settings/env-source.ts'
import { Environments } from '../settings/environments.ts'
import { Throwables } from '../errors/throwables/throwables.ts'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import { exceptionsReporter } from '../logs/exceptions-reporter.ts'
import type { Logs } from '../logs/logs.ts'
import { watchStatements } from '../http/request-log/install-logs.ts'
import type { AssembleOptions } from './assemble-project.ts'
import type { ProjectContext } from './boot.ts'
import type { ClosingHost } from '../base/close-services.ts'
import { installTracing } from './install-tracing.ts'
import { exportIncidents } from './export-incidents.ts'
import { inspectedLines } from './inspected-lines.ts'
import { loadProject } from './load-project.ts'
import { logWarnings } from './log-warnings.ts'
import type { Project } from './project.ts'
import { openLogs } from './project-logs.ts'
import { readSettings } from './read-settings.ts'

/** Options of `assembleServices`. */
export type AssembleServicesOptions = Pick<
  AssembleOptions,
  'root' | 'project' | 'environment' | 'env'
>

/** How a process without a server logs. */
export interface ServicesProcess {
  /** Channel for warnings of the process. */
  readonly channel: string
  /** Where log lines go besides their files. */
  readonly output: NodeJS.WriteStream
}

/** The result of `assembleServices`. */
export interface AssembledServices<Built> {
  readonly built: Built
  readonly logs: Logs
  /** Closes the services in reverse order, then the logs. */
  readonly close: () => Promise<void>
}

/** Builds the services of a project, which `host` closes, and returns what the command needs. */
export type BuildOnServices<Built> = (
  project: Project,
  host: ClosingHost,
  context: ProjectContext,
  source: EnvSource,
) => Promise<Built>

/**
 * Loads a project and builds its services without a server, for a console command.
 * @throws ConfigurationError for an invalid project or invalid settings.
 */
export async function assembleServices<Built>(
  options: AssembleServicesOptions,
  { channel, output }: ServicesProcess,
  build: BuildOnServices<Built>,
): Promise<AssembledServices<Built>> {
  const root = resolve(options.root)
  const source = loadEnvironment({ ...options, root })
  const { environment } = source
  const project = options.project ?? (await loadProject(root))
  const server = readSettings(project, source)
  const logs = openLogs(root, server, inspectedLines(environment), output)
  const closing = new Closing()
  closing.onClose(() => logs.close())
  closing.onClose(logWarnings(logs.channel(channel)))
  if (environment !== Environments.Test) {
    closing.onClose(Throwables.add(exceptionsReporter(logs, { root })))
  }
  watchStatements(closing, { logs, settings: server, environment, root })
  try {
    await installTracing(closing, { name: project.name, root, environment, server, logs }, source)
    exportIncidents(closing, { name: project.name, root, source, settings: server, logs })
    // Without a server there is no readiness probe.
    const context = { server, environment, logs, root, ready: () => {}, clock: epochSeconds }
    const built = await build(project, closing, context, source)
    return { built, logs, close: () => closing.close() }
  } catch (thrown) {
    await closing.close()
    throw thrown
  }
}

/** Closes in reverse order. */
class Closing implements ClosingHost {
  readonly #closers: (() => unknown)[] = []

  onClose(closer: () => unknown): void {
    this.#closers.push(closer)
  }

  async close(): Promise<void> {
    for (const closer of this.#closers.splice(0).toReversed()) {
      try {
        await closer()
      } catch (thrown) {
        Throwables.notify(thrown)
      }
    }
  }
}
