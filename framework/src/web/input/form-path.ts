import { InvalidArgumentException } from '../../base/errors.ts'
import type { Params } from '../request/request.ts'
import { parsePattern } from '../router/route-pattern.ts'
import type { RoutePattern, Segment } from '../router/route-pattern.ts'

/** Returns the path of a form with the parameters of a request. */
export type FormPath = (params: Params) => string

/**
 * The page of a form, such as `/notes/:id/edit`, for the requests of a route.
 * @throws InvalidArgumentException for an invalid path, or a parameter that the route does not have.
 */
export function formPath(text: string, route: RoutePattern): FormPath {
  const segments = parsePattern(text).forms.at(-1) ?? []
  const known = new Set(route.forms[0]?.map(nameOf))
  const isFixed = segments.every((segment) => {
    return segment.kind === 'static' || (segment.kind === 'param' && known.has(segment.name))
  })
  if (!isFixed) {
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `the form "${text}" of ${route.text} may have text, and parameters that the route always has`,
    )
  }
  return (params) => `/${segments.map((segment) => textOf(segment, params)).join('/')}`
}

function nameOf(segment: Segment): string {
  return segment.kind === 'static' ? '' : segment.name
}

function textOf(segment: Segment, params: Params): string {
  if (segment.kind === 'static') return segment.text
  return encodeURIComponent(String(params[segment.name] ?? ''))
}
