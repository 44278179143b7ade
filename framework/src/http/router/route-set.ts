import { ConfigurationError } from '../../base/errors.ts'
import type { FleetHost, ServerHost } from '../server/server-host.ts'
import type { Router } from './router.ts'

/** Declares the routes of a set on a router. `server` is the part of the server that sets may use. */
export type DeclareRoutes<Services> = (
  router: Router,
  services: Services,
  server: ServerHost,
) => void

/** A named group of routes, to be listed in the manifest of a project. */
export interface RouteSet<Services> {
  readonly name: string
  readonly declare: DeclareRoutes<Services>
  /** Whether a route of another set before it takes the place of one of its own. */
  readonly yields: boolean
  /** Runs in the primary of a fleet, which has no routes; null for nothing. */
  readonly supervise: ((fleet: FleetHost) => unknown) | null
}

/** Options of `routeSet`. */
export interface RouteSetOptions {
  /** Runs in the primary of a fleet before its workers start; a promise is awaited. */
  readonly supervise?: (fleet: FleetHost) => unknown
  /** Whether a route that is declared before it takes the place of one of its own. @default false */
  readonly yields?: boolean
}

/** Declares a route set: `routeSet<Services>('Account', (router, { users }) => { … })`. */
export function routeSet<Services>(
  name: string,
  declare: DeclareRoutes<Services>,
  { supervise, yields = false }: RouteSetOptions = {},
): RouteSet<Services> {
  return Object.freeze({ name, declare, yields, supervise: supervise ?? null })
}

/**
 * Declares the routes of every set in a manifest.
 * @throws ConfigurationError if a set is listed twice, or an entry is not a route set.
 */
export function mountRouteSets<Services>(
  router: Router,
  sets: readonly RouteSet<Services>[],
  services: Services,
  server: ServerHost,
): void {
  const seen = new Set<string>()
  for (const set of sets) {
    if (typeof set?.declare !== 'function') {
      const { inspect } = process.getBuiltinModule('node:util')
      throw new ConfigurationError(
        'E_ROUTE_SET',
        `the manifest lists ${inspect(set)}, which is not a route set; create it with routeSet()`,
      )
    }
    if (seen.has(set.name)) {
      throw new ConfigurationError(
        'E_ROUTE_SET',
        `route set ${set.name} is listed twice in the manifest`,
      )
    }
    seen.add(set.name)
    set.declare(router.within(set.name, set), services, server)
  }
}
