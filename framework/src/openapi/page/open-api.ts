import { routeSet } from '../../http/router/route-set.ts'
import type { RouteSet } from '../../http/router/route-set.ts'
import { loadOpenApiRoutes } from './load-open-api.ts'
import type { DeclareOpenApiOptions } from './open-api-routes.ts'

/** `/openapi`, to read and try the API of a project in development, and `/openapi.json`. */
export function openApiRoutes(options: DeclareOpenApiOptions): RouteSet<unknown> {
  return routeSet<unknown>('OpenApi', (router) =>
    loadOpenApiRoutes().declareOpenApi(router, options),
  )
}
