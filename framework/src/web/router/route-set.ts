import { inspect } from 'node:util'
import { ConfigurationError } from '../../base/errors.ts'
import type { Router } from './router.ts'

/** Routes that belong together, under a name a manifest can list. */
export interface RouteSet<Services> {
  readonly name: string
  readonly declare: (router: Router, services: Services) => void
}

/** Declares a route set: `routeSet<Services>('Account', (router, { users }) => { … })`. */
export function routeSet<Services>(
  name: string,
  declare: (router: Router, services: Services) => void,
): RouteSet<Services> {
  return Object.freeze({ name, declare })
}

/**
 * Declares every set of a manifest: listing a set is what turns it on.
 * @throws ConfigurationError when a set is listed twice, or something else is listed.
 */
export function mountRouteSets<Services>(
  router: Router,
  sets: readonly RouteSet<Services>[],
  services: Services,
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
    set.declare(router.within(set.name), services)
  }
}
