import { ConfigurationError } from '../../base/errors.ts'
import type { Route } from '../router/route.ts'
import { urlBuilder } from './url-builder.ts'
import type { UrlArguments, RoutePatterns } from './url-builder.ts'

/** Returns the URLs of routes by their names: `route('notes.show', { id: 7 })` is `/notes/7`. */
export interface RouteUrls<Patterns extends RoutePatterns = RoutePatterns> {
  /**
   * @throws InvalidArgumentException for an unknown name (E_ROUTE_NAME), or parameters that do not fit
   *   the pattern (E_ROUTE_PARAMETER).
   */
  <Name extends keyof Patterns & string>(
    name: Name,
    ...parameters: UrlArguments<Patterns[Name]>
  ): string
  /** For the router: `router.get(route.patterns['notes.show'], …)`. */
  readonly patterns: Patterns
}

/** What is known of URLs whose names do not matter, for servers and projects. */
export interface NamedRoutes {
  readonly patterns: RoutePatterns
}

/**
 * Names routes. The names and their parameters are checked by the compiler where URLs are made;
 * a server that is told about them checks that each pattern has a route.
 * @throws InvalidArgumentException for an invalid pattern.
 */
export function defineRoutes<const Patterns extends RoutePatterns>(
  patterns: Patterns,
): RouteUrls<Patterns> {
  const address = urlBuilder(patterns)
  return Object.assign(
    (name: string, ...[params, query]: readonly unknown[]) => address(name, params, query),
    { patterns },
  )
}

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
