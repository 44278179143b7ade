import { loggedRepeats } from '../../app/config/log-variables.ts'
import type { ServerValues } from '../../app/config/server-scope.ts'
import { Environments } from '../../app/environments/environments.ts'
import type { RouteSet } from '../router/route-set.ts'
import { inspectorRoutes } from '../routes/inspector/inspector.ts'

/** The route sets that the framework adds to a project: the inspector, in development only. */
export function builtInRoutes(
  root: string,
  environment: Environments,
  { debugRemote: remote, nPlusOne }: Pick<ServerValues, 'debugRemote' | 'nPlusOne'>,
): readonly RouteSet<unknown>[] {
  if (environment !== Environments.Development) return []
  // The parent of a server under `--watch`, which is connected to it. When a file was changed because of
  // what the inspector shows, that should still be there.
  const run = process.connected ? process.ppid : null
  const minRepeats = loggedRepeats(nPlusOne, environment)
  return [inspectorRoutes({ root, remote, run, minRepeats })]
}
