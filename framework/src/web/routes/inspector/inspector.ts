import { routeSet } from '../../router/route-set.ts'
import type { RouteSet } from '../../router/route-set.ts'
import { loadInspectorRoutes } from './load-inspector.ts'

/** Options of `inspectorRoutes`. */
export interface InspectorOptions {
  /** Folder of the project. */
  readonly root: string
  /** Whether clients on other machines may look too, as `DEBUG_REMOTE` says. @default false */
  readonly remote?: boolean
  /** Whether the records of an earlier run are kept, as after a restart by `--watch`. @default false */
  readonly keep?: boolean
}

/**
 * The inspector under `/inspect`: requests as they come, jobs and commands, each with its timeline,
 * statements, log lines and errors. While the server listens everything is recorded in
 * `storage/inspector.sqlite`. A project in development has it by itself; it is never for production.
 */
export function inspectorRoutes(options: InspectorOptions): RouteSet<unknown> {
  const { root, remote = false, keep = false } = options
  const complete = { root, remote, keep }
  return routeSet<unknown>(
    'Inspector',
    (router, services, server) =>
      loadInspectorRoutes().declareInspector(router, services, server, complete),
    { supervise: () => loadInspectorRoutes().emptyRecords(complete) },
  )
}
