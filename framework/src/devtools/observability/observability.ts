import { lateModule } from '../../base/late-module.ts'
import { routeSet } from '../../http/router/route-set.ts'
import type { RouteSet } from '../../http/router/route-set.ts'
import type * as Routes from './observability-routes.ts'
import type * as Supervision from './supervise-observability.ts'

const loadRoutes = lateModule<typeof Routes>(import.meta, './observability-routes')
const loadSupervision = lateModule<typeof Supervision>(import.meta, './supervise-observability')

/**
 * Health, metrics and readiness: `/health`, `/metrics` and `/ready`. With this set in the manifest every
 * request is measured, in a registry per worker, and the routes report the whole fleet. `/metrics` and
 * `/ready` are there for clients that `MetricsAccess` allows.
 */
export const ObservabilityRoutes: RouteSet<unknown> = routeSet<unknown>(
  'Observability',
  (router, _services, server) => loadRoutes().declareObservability(router, server),
  { supervise: (fleet) => loadSupervision().superviseObservability(fleet) },
)
