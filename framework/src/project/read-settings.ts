import type { EnvSource } from '../settings/env-source.ts'
import { frameworkScopes } from './framework-settings.ts'
import { given, readScopes } from '../settings/scope.ts'
import { serverScope } from '../http/server/server-settings.ts'
import type { ServerValues } from '../http/server/server-settings.ts'
import { localUrl } from './local-url.ts'
import type { Project } from './project.ts'

/** Command-line options; they override the settings. */
export interface ChosenSettings {
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly workers?: number | 'auto' | undefined
  readonly https?: boolean | undefined
}

/**
 * The framework's own settings. Those of the project are checked too, so that one error lists every
 * invalid setting.
 * @throws ConfigurationError for invalid values.
 */
export function readSettings(
  { configs }: Project,
  source: EnvSource,
  { host, port, workers, https = false }: ChosenSettings = {},
): ServerValues {
  const own = Object.entries(configs).map(([key, scope]) => [`configs.${key}`, scope] as const)
  const { server } = readScopes({ ...Object.fromEntries(own), ...frameworkScopes }, source)
  const settings = {
    ...server,
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(workers !== undefined && { workers }),
  }
  return { ...settings, url: siteUrl(settings, source, https) }
}

// Without APP_URL, links in mails use the address the server listens on.
function siteUrl(settings: ServerValues, source: EnvSource, https: boolean): string {
  const isSet = given(serverScope.variables.url, source) !== null
  // Port 0 means a random port, which is not known yet.
  if (isSet || settings.port === 0) return settings.url
  return localUrl({ ...settings, https })
}
