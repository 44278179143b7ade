import { join, resolve } from 'node:path'
import { loadEnvironment } from '../../settings/env-source.ts'
import type { EnvTexts } from '../../settings/env-source.ts'
import { Environments } from '../../settings/environments.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import type { ClosingHost } from '../../base/close-services.ts'
import { exceptionsReporter } from '../../logs/exceptions-reporter.ts'
import type { Logs } from '../../logs/logs.ts'
import type { ConfigScopes, ValuesOfScopes } from '../../settings/scope.ts'
import { watchStatements } from '../../http/observability/install-logs.ts'
import type { NoConfigs } from '../boot.ts'
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
  const stack = new AsyncDisposableStack()
  const closing: ClosingHost = { onClose: (closer) => stack.defer(() => closed(closer)) }
  closing.onClose(() => logs.close())
  closing.onClose(logWarnings(logs.channel(options.channel), root))
  if (environment !== Environments.Test) {
    closing.onClose(Throwables.add(exceptionsReporter(logs, { root })))
  }
  watchStatements(closing, { logs, settings: server, environment, root })
  try {
    const exported = { name, root, source, settings: server, logs }
    await installTracing(closing, exported)
    await exportIncidents(closing, exported)
    // Without a server there is no readiness probe.
    const own = { server, environment, logs, root, storageFolder, clock: epochSeconds }
    const opened = await project.open(closing, { ...own, ready: () => {} }, source)
    const { drain } = server
    return { ...opened, name, environment, logs, drain, close: () => stack.disposeAsync() }
  } catch (thrown) {
    await stack.disposeAsync()
    throw thrown
  }
}

async function closed(closer: () => unknown): Promise<void> {
  try {
    await closer()
  } catch (thrown) {
    Throwables.notify(thrown)
  }
}

/** Options of `bootProject`. */
interface BootOptions<Services extends object, Configs extends ConfigScopes> {
  /** @default the default export of `project.ts` */
  readonly project?: Project<Services, Configs>
  /** Overrides `FRAMEWORK_ENVIRONMENT`. */
  readonly environment?: Environments
  /** @default process.env */
  readonly env?: EnvTexts
}

/** A project without a server. */
export interface BootedProject<Services extends object, Configs extends ConfigScopes> {
  readonly name: string
  readonly environment: Environments
  readonly services: Services
  readonly configs: ValuesOfScopes<Configs>
  /** They write to the standard error. */
  readonly logs: Logs
  /** Closes the services in reverse order, then the logs. */
  close(): Promise<void>
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Builds the services of a project for a script: `const project = await
 * bootProject<Services>(import.meta.dirname)`. Close it when the script is done, or the process does not
 * end.
 * @throws ConfigurationError for an invalid project or invalid settings.
 */
export async function bootProject<
  Services extends object = object,
  Configs extends ConfigScopes = NoConfigs,
>(
  root: string,
  options: BootOptions<Services, Configs> = {},
): Promise<BootedProject<Services, Configs>> {
  const { name, environment, services, configs, logs, close } = await openProject<
    Services,
    Configs
  >({ ...options, root, channel: 'script', output: process.stderr })
  return { name, environment, services, configs, logs, close, [Symbol.asyncDispose]: close }
}
