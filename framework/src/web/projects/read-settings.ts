import type { EnvSource } from '../../app/config/env-source.ts'
import { given, readScopes } from '../../app/config/scope.ts'
import { serverScope } from '../../app/config/server-scope.ts'
import type { ServerValues } from '../../app/config/server-scope.ts'
import { localUrl } from './local-url.ts'
import type { Project } from './project.ts'

/** What was said when the process was started; it wins over the settings of the same name. */
export interface ChosenSettings {
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly workers?: number | 'auto' | undefined
  readonly https?: boolean | undefined
}

/**
 * The framework's own settings, after all settings of the project were looked at too, so that one
 * error names everything that has to be mended.
 * @throws ConfigurationError for values that cannot be used.
 */
export function readSettings(
  { configs }: Project,
  source: EnvSource,
  { host, port, workers, https = false }: ChosenSettings = {},
): ServerValues {
  const own = Object.entries(configs).map(([key, scope]) => [`configs.${key}`, scope] as const)
  const { server } = readScopes({ ...Object.fromEntries(own), server: serverScope }, source)
  const settings = {
    ...server,
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(workers !== undefined && { workers }),
  }
  return { ...settings, url: siteUrl(settings, source, https) }
}

// Until somebody says under which address people reach the site, links of mails lead where it listens.
function siteUrl(settings: ServerValues, source: EnvSource, https: boolean): string {
  const isSaid = given(serverScope.variables.url, source) !== null
  // The port 0 is another one each time, and not known before it is there.
  if (isSaid || settings.port === 0) return settings.url
  return localUrl({ ...settings, https })
}
