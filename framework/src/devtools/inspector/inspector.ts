import { lateModule } from '../../base/late-module.ts'
import { routeSet } from '../../http/router/route-set.ts'
import type { RouteSet } from '../../http/router/route-set.ts'
import type * as InspectorRoutes from './inspector-routes.ts'

// Never in production.
const loadInspectorRoutes = lateModule<typeof InspectorRoutes>(import.meta, './inspector-routes')

/** Options of `inspectorRoutes`. */
export interface InspectorOptions {
  /** Folder of the project. */
  readonly root: string
  /** Whether clients on other machines may look too, as `DEBUG_REMOTE` says. @default false */
  readonly remote?: boolean
  /**
   * A number for the servers that `--watch` starts one after the other: each keeps the records of those
   * before. Without one every start deletes the earlier records.
   * @default null
   */
  readonly run?: number | null
  /** How often a statement from one line counts as N+1, as `N_PLUS_ONE` says; 0 for never. @default 4 */
  readonly minRepeats?: number
}

/**
 * The inspector under `/inspect`: requests as they come, jobs, commands and tasks, each with its timeline,
 * statements, log lines and errors. While the server listens everything is recorded in
 * `storage/inspector.sqlite`. A project in development has it by itself; it is never for production.
 */
export function inspectorRoutes(options: InspectorOptions): RouteSet<unknown> {
  const { remote = false, run = null } = options
  const complete = { ...options, remote, run }
  return routeSet<unknown>(
    'Inspector',
    (router, services, server) =>
      loadInspectorRoutes().declareInspector(router, services, server, complete),
    { supervise: () => loadInspectorRoutes().emptyRecords(complete) },
  )
}
