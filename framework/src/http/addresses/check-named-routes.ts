import { ConfigurationError } from '../../base/errors.ts'
import type { Route } from '../router/route.ts'
import type { NamedRoutes } from './define-routes.ts'

/**
 * Checks that every named pattern has a route, and that a route with one of the names has its pattern.
 * @throws ConfigurationError that names the route.
 */
export function checkNamedRoutes({ patterns }: NamedRoutes, routes: readonly Route[]): void {
  const known = new Set(routes.map(({ pattern }) => pattern.text))
  for (const [name, pattern] of Object.entries(patterns)) {
    if (known.has(pattern)) continue
    throw new ConfigurationError(
      'E_ROUTE_NAME',
      `the name "${name}" stands for ${pattern}, which no route has; declare the route, or correct its pattern in defineRoutes()`,
    )
  }
  for (const { name, method, pattern } of routes) {
    const named = name === null || !Object.hasOwn(patterns, name) ? undefined : patterns[name]
    if (named === undefined || named === pattern.text) continue
    throw new ConfigurationError(
      'E_ROUTE_NAME',
      `${method} ${pattern.text} is named "${name}", which stands for ${named} in defineRoutes(); make them the same`,
    )
  }
}
