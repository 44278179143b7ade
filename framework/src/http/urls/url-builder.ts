import { InvalidArgumentException } from '../../base/errors.ts'
import { isRecord } from '../../base/is-record.ts'
import { nearNames } from '../../base/templates/near-names.ts'
import type { PathParams } from '../router/path-params.ts'
import { parsePattern } from '../router/route-pattern.ts'
import type { RoutePattern, Segment } from '../router/route-pattern.ts'

/** Patterns by the names of their routes: `{ 'notes.show': '/notes/:id<int>' }`. */
export type RoutePatterns = Readonly<Record<string, string>>

/** A value in an address. */
export type AddressValue = string | number

/** The query of an address: a list repeats its name; null and undefined are left out. */
export type AddressQuery = Readonly<
  Record<string, AddressValue | boolean | readonly AddressValue[] | null | undefined>
>

/** What an address needs for a pattern: `/users/:id<int>/:tab?` takes `{ id: number; tab?: AddressValue }`. */
export type AddressParams<Pattern extends string> = [keyof PathParams<Pattern>] extends [never]
  ? NoParams
  : Given<PathParams<Pattern>>

/** The arguments after the name: the parameters, which may be left out if none is required, and the query. */
export type UrlArguments<Pattern extends string> =
  Partial<PathParams<Pattern>> extends PathParams<Pattern>
    ? [params?: AddressParams<Pattern>, query?: AddressQuery]
    : [params: AddressParams<Pattern>, query?: AddressQuery]

// An empty object type would accept any object.
type NoParams = Readonly<Record<string, never>>

// A text parameter takes a number too: most ids are numbers.
type Given<Params> = {
  readonly [Key in keyof Params]: Params[Key] extends number | undefined ? number : AddressValue
}

/** Returns the address of a named route. The arguments are checked here, for views and JavaScript. */
export type UrlBuilder = (name: string, params: unknown, query: unknown) => string

/** @throws InvalidArgumentException for an invalid pattern. */
export function urlBuilder(patterns: RoutePatterns): UrlBuilder {
  const parsed = new Map<string, RoutePattern>()
  for (const [name, pattern] of Object.entries(patterns)) parsed.set(name, parsePattern(pattern))
  return (name, params, query) => {
    const pattern = parsed.get(name)
    if (pattern === undefined) {
      const near = nearNames(name, [...parsed.keys()]).map((known) => `"${known}"`)
      const hint =
        near.length === 0 ? 'names come from defineRoutes()' : `did you mean ${near.join(', ')}?`
      const reason = `there is no route named "${name}"; ${hint}`
      throw new InvalidArgumentException('E_ROUTE_NAME', reason)
    }
    return buildPath(pattern, recordOf(params)) + buildQuery(recordOf(query))
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {}
  if (isRecord(value)) return value
  throw new InvalidArgumentException(
    'E_ROUTE_PARAMETER',
    `the parameters and the query of an address are objects, got ${typeof value}`,
  )
}

/** The values of path parameters, not checked yet. */
type PathValues = Readonly<Record<string, unknown>>

/**
 * The path of a pattern with these values, encoded; optional ends without a value are left out.
 * @throws InvalidArgumentException (E_ROUTE_PARAMETER) for a missing, unknown or unusable value.
 */
export function buildPath(pattern: RoutePattern, values: PathValues): string {
  const segments = pattern.forms.at(-1) ?? []
  const required = pattern.forms[0]?.length ?? 0
  const known = new Set(segments.map((segment) => segment.kind !== 'static' && segment.name))
  for (const name of Object.keys(values)) {
    if (!known.has(name)) throw invalid(pattern, name, 'is not in the pattern')
  }
  let path = ''
  let left: string | null = null
  for (const [at, segment] of segments.entries()) {
    if (segment.kind === 'static') path += `/${segment.text}`
    else if (values[segment.name] === undefined) {
      if (at < required) throw invalid(pattern, segment.name, 'is missing')
      left ??= segment.name
    } else if (left === null) path += `/${pathText(pattern, segment, values[segment.name])}`
    else throw invalid(pattern, left, `is missing, but "${segment.name}" after it is not`)
  }
  return path === '' ? '/' : path
}

type Variable = Exclude<Segment, { readonly kind: 'static' }>

// Messages do not quote the value: it may be a visitor's, and messages are logged.
function pathText(pattern: RoutePattern, segment: Variable, value: unknown): string {
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

/**
 * A query with its question mark; empty if nothing is left of it.
 * @throws InvalidArgumentException (E_ROUTE_PARAMETER) for a value that is not text, number or boolean.
 */
function buildQuery(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value ?? null]
    for (const item of list) if (item !== null) parameters.append(name, queryText(name, item))
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}

function queryText(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new InvalidArgumentException(
    'E_ROUTE_PARAMETER',
    `the query parameter "${name}" must be a text, a number or a boolean, got ${typeof value}`,
  )
}
