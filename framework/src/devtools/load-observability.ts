import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as ObservabilityRoutes from './observability-routes.ts'
import type * as SuperviseObservability from './supervise-observability.ts'

// Loaded on first use: a server without this route set starts faster.
const require = createRequire(import.meta.url)
const ending = extname(import.meta.filename)

export function loadRoutes(): typeof ObservabilityRoutes {
  return require(`./observability-routes${ending}`)
}

export function loadSupervision(): typeof SuperviseObservability {
  return require(`./supervise-observability${ending}`)
}
