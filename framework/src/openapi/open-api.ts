import { lateModule } from '../base/late-module.ts'
import { routeSet } from '../http/router/route-set.ts'
import type { RouteSet } from '../http/router/route-set.ts'
import type { DeclareOpenApiOptions } from './open-api-routes.ts'
import type * as OpenApiRoutes from './open-api-routes.ts'

// Never in production.
const loadOpenApiRoutes = lateModule<typeof OpenApiRoutes>(import.meta, './open-api-routes')

/** `/openapi`, to read and try the API of a project in development, and `/openapi.json`. */
export function openApiRoutes(options: DeclareOpenApiOptions): RouteSet<unknown> {
  return routeSet<unknown>('OpenApi', (router) =>
    loadOpenApiRoutes().declareOpenApi(router, options),
  )
}
