import { addressBuilder } from './address-builder.ts'
import type { AddressArguments, RoutePatterns } from './address-arguments.ts'

/** Returns the addresses of routes by their names: `route('notes.show', { id: 7 })` is `/notes/7`. */
export interface RouteAddresses<Patterns extends RoutePatterns = RoutePatterns> {
  /**
   * @throws InvalidArgumentException for an unknown name (E_ROUTE_NAME), or parameters that do not fit
   *   the pattern (E_ROUTE_PARAMETER).
   */
  <Name extends keyof Patterns & string>(
    name: Name,
    ...rest: AddressArguments<Patterns[Name]>
  ): string
  /** For the router: `router.get(route.patterns['notes.show'], …)`. */
  readonly patterns: Patterns
}

/** What is known of addresses whose names do not matter, for servers and projects. */
export interface NamedRoutes {
  readonly patterns: RoutePatterns
}

/**
 * Names routes. The names and their parameters are checked by the compiler where addresses are made;
 * a server that is told about them checks that each pattern has a route.
 * @throws InvalidArgumentException for an invalid pattern.
 */
export function defineRoutes<const Patterns extends RoutePatterns>(
  patterns: Patterns,
): RouteAddresses<Patterns> {
  const address = addressBuilder(patterns)
  return Object.assign(
    (name: string, ...[params, query]: readonly unknown[]) => address(name, params, query),
    { patterns },
  )
}
