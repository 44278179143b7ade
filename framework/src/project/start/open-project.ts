import { join, resolve } from 'node:path'
import { loadEnvironment } from '../../settings/env-source.ts'
import { Environments } from '../../settings/environments.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import type { ClosingHost } from '../../base/close-services.ts'
import { exceptionsReporter } from '../../logs/exceptions-reporter.ts'
import type { Logs } from '../../logs/logs.ts'
import type { ConfigScopes } from '../../settings/scope.ts'
import { watchStatements } from '../../http/observability/install-logs.ts'
import type { OpenedProject, Project } from '../project.ts'
import type { AssembleOptions } from './assemble-project.ts'
import { exportIncidents } from './export-incidents.ts'
import { installTracing } from './install-tracing.ts'
import { loadProject } from './load-project.ts'
import { logWarnings, openLogs } from './project-logs.ts'
import type { LogOutput } from './project-logs.ts'
import { readSettings } from './project-settings.ts'

/** Options of `openProject`. */
export interface OpenProjectOptions<
  Services extends object = object,
  Configs extends ConfigScopes = ConfigScopes,
> extends Pick<AssembleOptions, 'root' | 'environment' | 'env'> {
  /** @default the default export of `project.ts` */
  readonly project?: Project<Services, Configs> | undefined
  /** Channel for warnings of the process. */
  readonly channel: string
  /** Where log lines go besides their files. */
  readonly output: LogOutput
}

/** A project with its services, but without a server. */
export interface OpenProject<
  Services extends object = object,
  Configs extends ConfigScopes = ConfigScopes,
> extends OpenedProject<Services, Configs> {
  readonly name: string
  readonly environment: Environments
  readonly logs: Logs
  /** Seconds that what is running gets to finish at the end. */
  readonly drain: number
  /** Closes the services in reverse order, then the logs. */
  readonly close: () => Promise<void>
}

/**
 * Loads a project and builds its services without a server, for a command or a script.
 * @throws ConfigurationError for an invalid project or invalid settings.
 */
export async function openProject<
  Services extends object = object,
  Configs extends ConfigScopes = ConfigScopes,
>(options: OpenProjectOptions<Services, Configs>): Promise<OpenProject<Services, Configs>> {
  const root = resolve(options.root)
  const source = loadEnvironment({ ...options, root })
  const { environment } = source
  // Whoever calls it names the types of the project in that folder.
  const project = options.project ?? ((await loadProject(root)) as Project<Services, Configs>)
  const { name } = project
  const server = readSettings(project, source)
  const storageFolder = join(root, 'storage')
  const logs = openLogs({ root, settings: server, environment, output: options.output })
  const closing = new Closing()
  closing.onClose(() => logs.close())
  closing.onClose(logWarnings(logs.channel(options.channel)))
  if (environment !== Environments.Test) {
    closing.onClose(Throwables.add(exceptionsReporter(logs, { root })))
  }
  watchStatements(closing, { logs, settings: server, environment, root })
  try {
    await installTracing(closing, { name, root, environment, server, logs }, source)
    await exportIncidents(closing, { name, root, source, settings: server, logs })
    // Without a server there is no readiness probe.
    const own = { server, environment, logs, root, storageFolder, clock: epochSeconds }
    const opened = await project.open(closing, { ...own, ready: () => {} }, source)
    const { drain } = server
    return { ...opened, name, environment, logs, drain, close: () => closing.close() }
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
