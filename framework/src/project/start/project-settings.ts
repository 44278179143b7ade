import { isIPv6 } from 'node:net'
import { serverScope } from '../../http/server/server-settings.ts'
import type { ServerValues } from '../../http/server/server-settings.ts'
import { reportsScope } from '../../incidents/incidents-settings.ts'
import { loggedRepeats, requestLogMode } from '../../logs/logs-settings.ts'
import { effectiveTable } from '../../settings/effective-table.ts'
import type { EffectiveRow } from '../../settings/effective-table.ts'
import type { EnvSource } from '../../settings/env-source.ts'
import { given, readScopes } from '../../settings/scope.ts'
import type { ConfigScope, ConfigScopes } from '../../settings/scope.ts'
import type { Variable } from '../../settings/variable.ts'
import { tracingScope } from '../../tracing/tracing-settings.ts'

/** The framework's own settings, which every project has. */
export const frameworkScopes: {
  readonly server: typeof serverScope
  readonly reports: typeof reportsScope
  readonly tracing: typeof tracingScope
} = Object.freeze({ server: serverScope, reports: reportsScope, tracing: tracingScope })

/** A project, as far as its settings are concerned. */
interface WithConfigs {
  readonly configs: ConfigScopes
}

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
  { configs }: WithConfigs,
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

/** The scopes of the framework and of a project. */
export function allScopes({ configs }: WithConfigs): readonly ConfigScope[] {
  return [...Object.values(frameworkScopes), ...Object.values(configs)]
}

/** The effective settings of a project, with secrets masked. */
export function effectiveSettings(
  project: WithConfigs,
  source: EnvSource,
): readonly EffectiveRow[] {
  const { url, requestLog, nPlusOne } = readSettings(project, source)
  const { variables } = serverScope
  const derived = new Map<Variable<unknown>, unknown>([
    [variables.url, url],
    [variables.requestLog, requestLogMode(requestLog, source.environment)],
    [variables.nPlusOne, loggedRepeats(nPlusOne, source.environment)],
  ])
  return effectiveTable(allScopes(project), source, derived)
}

/** Where a server listens. */
interface Listening {
  readonly host: string
  readonly port: number
  readonly https: boolean
}

/**
 * The URL of a server for a browser on this machine. It has a name where it can: browsers allow passkeys
 * at `localhost`, but at no address in numbers.
 */
export function localUrl({ host, port, https }: Listening): string {
  return `${https ? 'https' : 'http'}://${reachable(host)}:${port}`
}

function reachable(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::'].includes(host)) return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}
