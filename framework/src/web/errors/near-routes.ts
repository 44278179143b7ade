import { nearNames } from '../../base/templates/near-names.ts'
import type { Request } from '../request/request.ts'
import type { RouteSummary } from '../router/route.ts'

/**
 * The routes most like the one that was asked for, as `GET /users/:id`, nearest first. The one that
 * took the request is not among them: what it did not find is no slip of the pen.
 */
export function nearRoutes(
  { path, route }: Pick<Request, 'path' | 'route'>,
  routes: readonly RouteSummary[],
): string[] {
  const others = routes.filter(({ pattern }) => pattern !== route)
  const patterns = Map.groupBy(others, ({ pattern }) => filledIn(pattern, path))
  return nearNames(path, [...patterns.keys()]).flatMap((filled) =>
    (patterns.get(filled) ?? []).map(({ method, pattern }) => `${method} ${pattern}`),
  )
}

// A parameter is as like as can be to whatever stands in its place.
function filledIn(pattern: string, path: string): string {
  const parts = path.split('/')
  return pattern
    .split('/')
    .map((part, at) => (/^[:*]/.test(part) ? (parts[at] ?? part) : part))
    .join('/')
}
