import { InvalidArgumentException } from '../../base/errors.ts'
import type { RoutePattern, Segment } from '../router/route-pattern.ts'

/** The values of path parameters, not checked yet. */
export type PathValues = Readonly<Record<string, unknown>>

/**
 * The path of a pattern with these values, encoded; optional ends without a value are left out.
 * @throws InvalidArgumentException (E_ROUTE_PARAMETER) for a missing, unknown or unusable value.
 */
export function buildPath(pattern: RoutePattern, values: PathValues): string {
  const segments = pattern.forms.at(-1) ?? []
  const required = pattern.forms[0]?.length ?? 0
  refuseUnknown(pattern, segments, values)
  let path = ''
  let left: string | null = null
  for (const [at, segment] of segments.entries()) {
    if (segment.kind === 'static') path += `/${segment.text}`
    else if (values[segment.name] === undefined) {
      if (at < required) throw invalid(pattern, segment.name, 'is missing')
      left ??= segment.name
    } else if (left === null) path += `/${textOf(pattern, segment, values[segment.name])}`
    else throw invalid(pattern, left, `is missing, but "${segment.name}" after it is not`)
  }
  return path === '' ? '/' : path
}

function refuseUnknown(
  pattern: RoutePattern,
  segments: readonly Segment[],
  values: PathValues,
): void {
  const known = new Set(segments.map((segment) => segment.kind !== 'static' && segment.name))
  for (const name of Object.keys(values)) {
    if (!known.has(name)) throw invalid(pattern, name, 'is not in the pattern')
  }
}

type Variable = Exclude<Segment, { readonly kind: 'static' }>

// Messages do not quote the value: it may be a visitor's, and messages are logged.
function textOf(pattern: RoutePattern, segment: Variable, value: unknown): string {
  const { name } = segment
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw invalid(pattern, name, `must be a text or a number, got ${typeof value}`)
  }
  const text = String(value).toWellFormed()
  if (segment.kind === 'rest') {
    return text
      .split('/')
      .map((part) => encodePart(pattern, name, part))
      .join('/')
  }
  if (segment.constraint !== null && !segment.constraint.matches.test(text)) {
    throw invalid(pattern, name, `does not fit <${segment.constraint.source}>`)
  }
  return encodePart(pattern, name, text)
}

function encodePart(pattern: RoutePattern, name: string, part: string): string {
  // No route matches an empty segment, and browsers resolve dots, encoded or not.
  if (part === '' || part === '.' || part === '..') {
    throw invalid(pattern, name, 'is empty, or has a segment that is empty, "." or ".."')
  }
  // The rest of what RFC 3986 reserves: links in texts often end at a bracket or quote.
  return encodeURIComponent(part).replace(/[!'()*]/g, (sign) => {
    return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
  })
}

function invalid(pattern: RoutePattern, name: string, reason: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_ROUTE_PARAMETER',
    `no address of ${pattern.text}: the parameter "${name}" ${reason}`,
  )
}
