import type { EnvTexts } from '../../settings/env-source.ts'
import type { ConfigScopes, ValuesOfScopes } from '../../settings/scope.ts'
import type { Environments } from '../../settings/environments.ts'
import type { Logs } from '../../logs/logs.ts'
import { openProject } from './open-project.ts'
import type { NoConfigs } from '../boot.ts'
import type { Project } from '../project.ts'

/** Options of `bootProject`. */
export interface BootOptions<Services extends object, Configs extends ConfigScopes> {
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
