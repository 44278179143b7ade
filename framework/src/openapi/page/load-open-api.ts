import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as OpenApiRoutes from './open-api-routes.ts'

// Loaded on first use, so never in production.
const require = createRequire(import.meta.url)
const ending = extname(import.meta.filename)

export function loadOpenApiRoutes(): typeof OpenApiRoutes {
  return require(`./open-api-routes${ending}`)
}
