import { lateModule } from '../../base/late-module.ts'
import { routeSet } from '../../http/router/route-set.ts'
import type { RouteSet } from '../../http/router/route-set.ts'
import type * as InspectorRoutes from './inspector-routes.ts'
import type { InspectorOptions } from './inspector-routes.ts'

// Never in production.
const loadInspectorRoutes = lateModule<typeof InspectorRoutes>(import.meta, './inspector-routes')

/**
 * The inspector under `/inspect`: requests as they come, jobs, commands and tasks, each with its timeline,
 * statements, log lines and errors. While the server listens everything is recorded in
 * `storage/inspector.sqlite`. A project in development has it by itself; it is never for production.
 */
export function inspectorRoutes(options: InspectorOptions): RouteSet<unknown> {
  return routeSet<unknown>(
    'Inspector',
    (router, services, server) =>
      loadInspectorRoutes().declareInspector(router, services, server, options),
    { supervise: () => loadInspectorRoutes().emptyRecords(options) },
  )
}
