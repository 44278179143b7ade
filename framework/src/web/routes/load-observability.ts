import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as ObservabilityRoutes from './observability-routes.ts'
import type * as SuperviseObservability from './supervise-observability.ts'

// Loaded when the set is used: a server that does not list it starts without all of its modules.
const require = createRequire(import.meta.url)
const ending = extname(import.meta.filename)

export function loadRoutes(): typeof ObservabilityRoutes {
  return require(`./observability-routes${ending}`)
}

export function loadSupervision(): typeof SuperviseObservability {
  return require(`./supervise-observability${ending}`)
}
