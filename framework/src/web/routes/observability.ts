import { routeSet } from '../router/route-set.ts'
import type { RouteSet } from '../router/route-set.ts'
import { loadRoutes, loadSupervision } from './load-observability.ts'

/**
 * Health, metrics and readiness: `/health`, `/metrics` and `/ready`. Listing the set in a manifest
 * measures every request, in a registry of each worker, and answers for the whole fleet.
 */
export const ObservabilityRoutes: RouteSet<unknown> = routeSet<unknown>(
  'Observability',
  (router, _services, server) => loadRoutes().declareObservability(router, server),
  { supervise: (fleet) => loadSupervision().superviseObservability(fleet) },
)
