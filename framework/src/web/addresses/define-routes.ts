import { InvalidArgumentException } from '../../base/errors.ts'
import { nearNames } from '../../base/templates/near-names.ts'
import { parsePattern } from '../router/route-pattern.ts'
import type { RoutePattern } from '../router/route-pattern.ts'
import type { AddressArguments, RoutePatterns } from './address-arguments.ts'
import { buildPath } from './build-path.ts'
import { buildQuery } from './build-query.ts'

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
export type NamedRoutes = Pick<RouteAddresses, 'patterns'>

/**
 * Names routes. The names and their parameters are checked by the compiler where addresses are made;
 * a server that is told about them checks that each pattern has a route.
 * @throws InvalidArgumentException for an invalid pattern.
 */
export function defineRoutes<const Patterns extends RoutePatterns>(
  patterns: Patterns,
): RouteAddresses<Patterns> {
  const parsed = new Map<string, RoutePattern>()
  for (const [name, pattern] of Object.entries(patterns)) parsed.set(name, parsePattern(pattern))
  const address = (name: string, ...rest: readonly unknown[]): string => {
    const pattern = parsed.get(name)
    if (pattern === undefined) throw unknownName(name, [...parsed.keys()])
    const [params, query] = rest
    return buildPath(pattern, recordOf(params)) + buildQuery(recordOf(query))
  }
  return Object.assign(address, { patterns })
}

function unknownName(name: string, names: readonly string[]): InvalidArgumentException {
  const near = nearNames(String(name), names).map((known) => `"${known}"`)
  const hint = near.length === 0 ? 'names come from defineRoutes()' : `did you mean ${near.join(', ')}?`
  return new InvalidArgumentException('E_ROUTE_NAME', `there is no route named "${name}"; ${hint}`)
}

// Views are not compiled by TypeScript.
function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {}
  if (isRecord(value)) return value
  throw new InvalidArgumentException(
    'E_ROUTE_PARAMETER',
    `the parameters and the query of an address are objects, got ${typeof value}`,
  )
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object'
}
