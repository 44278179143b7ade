import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as InspectorRoutes from './inspector-routes.ts'

// Loaded on first use, so never in production.
const require = createRequire(import.meta.url)
const ending = extname(import.meta.filename)

export function loadInspectorRoutes(): typeof InspectorRoutes {
  return require(`./inspector-routes${ending}`)
}
