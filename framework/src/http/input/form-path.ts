import { invalidArgument } from '../../base/errors.ts'
import { buildPath } from '../urls/url-builder.ts'
import type { Params } from '../request/request.ts'
import { parsePattern } from '../router/route-pattern.ts'
import type { RoutePattern, Segment } from '../router/route-pattern.ts'

/** Returns the path of a form with the parameters of a request; null if they make none. */
export type FormPath = (params: Params) => string | null

/**
 * The page of a form, such as `/notes/:id/edit`, for the requests of a route.
 * @throws InvalidArgumentException for an invalid path, or a parameter that the route does not have.
 */
export function formPath(text: string, route: RoutePattern): FormPath {
  const pattern = parsePattern(text)
  const segments = pattern.forms.at(-1) ?? []
  const known = new Set(route.forms[0]?.map(nameOf))
  const isFixed = segments.every((segment) => {
    return segment.kind === 'static' || (segment.kind === 'param' && known.has(segment.name))
  })
  if (!isFixed) {
    throw invalidArgument(
      `the form "${text}" of ${route.text} may have text, and parameters that the route always has`,
    )
  }
  const names = segments.map(nameOf).filter((name) => name !== '')
  return (params) => {
    const values = Object.fromEntries(names.map((name) => [name, params[name]]))
    try {
      return buildPath(pattern, values)
    } catch {
      // Strangers choose the values, and some, such as "..", would lead to another page.
      return null
    }
  }
}

function nameOf(segment: Segment): string {
  return segment.kind === 'static' ? '' : segment.name
}
