import { resolve } from 'node:path'
import { loadEnvironment } from '../../app/config/env-source.ts'
import type { EnvSource } from '../../app/config/env-source.ts'
import { Environments } from '../../app/environments/environments.ts'
import { Throwables } from '../../base/throwables/throwables.ts'
import { exceptionsReporter } from '../../services/logs/exceptions-reporter.ts'
import type { Logs } from '../../services/logs/logs.ts'
import type { AssembleOptions } from './assemble-project.ts'
import type { Surroundings } from './boot.ts'
import type { ClosingHost } from './close-services.ts'
import { loadProject } from './load-project.ts'
import { logWarnings } from './log-warnings.ts'
import type { Project } from './project.ts'
import { openLogs } from './project-logs.ts'
import { readSettings } from './read-settings.ts'

/** What the services of a project are assembled from, where no server is wanted. */
export type AssembleServicesOptions = Pick<
  AssembleOptions,
  'root' | 'project' | 'environment' | 'env'
>

/** How a process works that is no server. */
export interface ServicesProcess {
  /** Channel of its own lines. */
  readonly channel: string
  /** Where the lines go beside their files. */
  readonly output: NodeJS.WriteStream
}

/** What was built on the services of a project. */
export interface AssembledServices<Built> {
  readonly built: Built
  readonly logs: Logs
  /** Closes the services, the last one first, and the logs. */
  readonly close: () => Promise<void>
}

/** Builds the services of a project, for `host` to close, and gives what is wanted of them. */
export type BuildOnServices<Built> = (
  project: Project,
  host: ClosingHost,
  surroundings: Surroundings,
  source: EnvSource,
) => Promise<Built>

/**
 * Loads a project and builds what some command needs of its services, without a server.
 * @throws ConfigurationError for what is wrong with the project or its settings.
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
  const logs = openLogs(root, server, null, output)
  const closing = new Closing()
  closing.onClose(() => logs.close())
  closing.onClose(logWarnings(logs.channel(channel)))
  if (environment !== Environments.Test) closing.onClose(Throwables.add(exceptionsReporter(logs)))
  try {
    // Nobody asks such a process whether it is ready for requests.
    const surroundings = { server, environment, logs, root, ready: () => {} }
    const built = await build(project, closing, surroundings, source)
    return { built, logs, close: () => closing.close() }
  } catch (thrown) {
    await closing.close()
    throw thrown
  }
}

/** What has to be closed, in reverse. */
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
