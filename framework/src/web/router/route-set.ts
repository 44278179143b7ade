import { inspect } from 'node:util'
import { ConfigurationError } from '../../base/errors.ts'
import type { FleetHost, ServerHost } from '../server/server-host.ts'
import type { Router } from './router.ts'

/** Puts the routes of a set on a router. `server` is what the set may use of the server around it. */
export type DeclareRoutes<Services> = (
  router: Router,
  services: Services,
  server: ServerHost,
) => void

/** Routes that belong together, under a name a manifest can list. */
export interface RouteSet<Services> {
  readonly name: string
  readonly declare: DeclareRoutes<Services>
  /** What the set does in the primary of a fleet, which has no routes; null for nothing. */
  readonly supervise: ((fleet: FleetHost) => unknown) | null
}

/** What a route set has besides its routes. */
export interface RouteSetOptions {
  /** Runs in the primary of a fleet before its workers start; what it gives is waited for. */
  readonly supervise?: (fleet: FleetHost) => unknown
}

/** Declares a route set: `routeSet<Services>('Account', (router, { users }) => { … })`. */
export function routeSet<Services>(
  name: string,
  declare: DeclareRoutes<Services>,
  { supervise }: RouteSetOptions = {},
): RouteSet<Services> {
  return Object.freeze({ name, declare, supervise: supervise ?? null })
}

/**
 * Declares every set of a manifest: listing a set is what turns it on.
 * @throws ConfigurationError when a set is listed twice, or something else is listed.
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
      throw new ConfigurationError(
        'E_ROUTE_SET',
        `the manifest lists ${inspect(set)}; list route sets made by routeSet()`,
      )
    }
    if (seen.has(set.name)) {
      throw new ConfigurationError(
        'E_ROUTE_SET',
        `route set ${set.name} is listed twice in the manifest`,
      )
    }
    seen.add(set.name)
    set.declare(router.within(set.name), services, server)
  }
}
