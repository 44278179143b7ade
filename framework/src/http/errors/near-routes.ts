import { nearNames } from '../../base/templates/near-names.ts'
import type { Request } from '../request/request.ts'
import type { RouteSummary } from '../router/route.ts'

/**
 * The routes most similar to the requested path, as `GET /users/:id`, most similar first. If a route
 * matched and responded with 404 itself, it is left out.
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

// A parameter counts as equal to whatever the path has in its place.
function filledIn(pattern: string, path: string): string {
  const parts = path.split('/')
  return pattern
    .split('/')
    .map((part, at) => (/^[:*]/.test(part) ? (parts[at] ?? part) : part))
    .join('/')
}
