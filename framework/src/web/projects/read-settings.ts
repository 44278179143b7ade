import type { EnvSource } from '../../app/config/env-source.ts'
import { readScopes } from '../../app/config/scope.ts'
import { serverScope } from '../../app/config/server-scope.ts'
import type { ServerValues } from '../../app/config/server-scope.ts'
import type { Project } from './project.ts'

/**
 * The framework's own settings, after all settings of the project were looked at too, so that one
 * error names everything that has to be mended.
 * @throws ConfigurationError for values that cannot be used.
 */
export function readSettings({ configs }: Project, source: EnvSource): ServerValues {
  const own = Object.entries(configs).map(([key, scope]) => [`configs.${key}`, scope] as const)
  const { server } = readScopes({ ...Object.fromEntries(own), server: serverScope }, source)
  return server
}
