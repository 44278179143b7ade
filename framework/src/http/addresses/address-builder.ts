import { InvalidArgumentException } from '../../base/errors.ts'
import { nearNames } from '../../base/templates/near-names.ts'
import { parsePattern } from '../router/route-pattern.ts'
import type { RoutePattern } from '../router/route-pattern.ts'
import type { RoutePatterns } from './address-arguments.ts'
import { buildPath } from './build-path.ts'
import { buildQuery } from './build-query.ts'

/** Returns the address of a named route. The arguments are checked here, for views and JavaScript. */
export type AddressBuilder = (name: string, params: unknown, query: unknown) => string

/** @throws InvalidArgumentException for an invalid pattern. */
export function addressBuilder(patterns: RoutePatterns): AddressBuilder {
  const parsed = new Map<string, RoutePattern>()
  for (const [name, pattern] of Object.entries(patterns)) parsed.set(name, parsePattern(pattern))
  return (name, params, query) => {
    const pattern = parsed.get(name)
    if (pattern === undefined) throw unknownName(name, [...parsed.keys()])
    return buildPath(pattern, recordOf(params)) + buildQuery(recordOf(query))
  }
}

function unknownName(name: string, names: readonly string[]): InvalidArgumentException {
  const near = nearNames(name, names).map((known) => `"${known}"`)
  const hint =
    near.length === 0 ? 'names come from defineRoutes()' : `did you mean ${near.join(', ')}?`
  return new InvalidArgumentException('E_ROUTE_NAME', `there is no route named "${name}"; ${hint}`)
}

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
