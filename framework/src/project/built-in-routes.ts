import { loggedRepeats } from '../logs/logs-settings.ts'
import type { ServerValues } from '../http/server/server-settings.ts'
import { Environments } from '../settings/environments.ts'
import type { RouteSet } from '../http/router/route-set.ts'
import { inspectorRoutes } from '../devtools/inspector/inspector.ts'
import { openApiRoutes } from '../openapi/open-api.ts'
import type { DeclareOpenApiOptions } from '../openapi/open-api-routes.ts'

/** The project that built-in routes are for. */
export interface BuiltInContext extends Pick<DeclareOpenApiOptions, 'root' | 'name' | 'server'> {
  readonly environment: Environments
  readonly settings: Pick<ServerValues, 'debugRemote' | 'nPlusOne'>
}

/** The route sets that the framework adds to a project in development: the inspector, and its API. */
export function builtInRoutes(context: BuiltInContext): readonly RouteSet<unknown>[] {
  const { root, name, server, environment, settings } = context
  if (environment !== Environments.Development) return []
  const { debugRemote: remote, nPlusOne } = settings
  // The parent of a server under `--watch`, which is connected to it. When a file was changed because of
  // what the inspector shows, that should still be there.
  const run = process.connected ? process.ppid : null
  const minRepeats = loggedRepeats(nPlusOne, environment)
  return [
    inspectorRoutes({ root, remote, run, minRepeats }),
    openApiRoutes({ server, root, name, remote }),
  ]
}
