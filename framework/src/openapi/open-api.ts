import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { routeSet } from '../http/router/route-set.ts'
import type { RouteSet } from '../http/router/route-set.ts'
import type { DeclareOpenApiOptions } from './open-api-routes.ts'
import type * as OpenApiRoutes from './open-api-routes.ts'

/** `/openapi`, to read and try the API of a project in development, and `/openapi.json`. */
export function openApiRoutes(options: DeclareOpenApiOptions): RouteSet<unknown> {
  return routeSet<unknown>('OpenApi', (router) =>
    loadOpenApiRoutes().declareOpenApi(router, options),
  )
}

// Loaded on first use, so never in production.
const require = createRequire(import.meta.url)
const ending = extname(import.meta.filename)

function loadOpenApiRoutes(): typeof OpenApiRoutes {
  return require(`./open-api-routes${ending}`)
}
