import { routeSet } from '../http/router/route-set.ts'
import type { RouteSet } from '../http/router/route-set.ts'
import { loadRoutes, loadSupervision } from './load-observability.ts'

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
