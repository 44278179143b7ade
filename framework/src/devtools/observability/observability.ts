import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { routeSet } from '../../http/router/route-set.ts'
import type { RouteSet } from '../../http/router/route-set.ts'
import type * as Routes from './observability-routes.ts'
import type * as Supervision from './supervise-observability.ts'

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

// Loaded on first use: a server without this route set starts faster.
const require = createRequire(import.meta.url)
const ending = extname(import.meta.filename)

function loadRoutes(): typeof Routes {
  return require(`./observability-routes${ending}`)
}

function loadSupervision(): typeof Supervision {
  return require(`./supervise-observability${ending}`)
}
