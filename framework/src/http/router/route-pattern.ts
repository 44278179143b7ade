import { InvalidArgumentException } from '../../base/errors.ts'

/** One piece of a pattern between two slashes. */
export type Segment =
  | { readonly kind: 'static'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string; readonly constraint: Constraint | null }
  | { readonly kind: 'rest'; readonly name: string }

/** The format of a parameter. Lower ranks are tried first. */
export interface Constraint {
  readonly source: string
  readonly matches: { test(text: string): boolean }
  readonly rank: number
  /** Whether the value is a number, rather than a text. */
  readonly isNumber: boolean
}

/** A parsed pattern: one list of segments for each variant, with and without its optional end. */
export interface RoutePattern {
  readonly text: string
  readonly forms: readonly (readonly Segment[])[]
}

const named: Readonly<Record<string, Constraint['matches']>> = {
  uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  // Two digits of a month are a number too. A larger one would be the number of another record.
  int: { test: (text) => /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) },
  hex: /^[\da-f]+$/i,
  alpha: /^[a-z]+$/i,
  slug: /^[a-z\d]+(?:-[a-z\d]+)*$/i,
}

const customRank = 100
const parameter = /^:([A-Za-z_]\w*)(?:<([^<>]+)>)?(\?)?$/
const rest = /^\*([A-Za-z_]\w*)?$/

/**
 * Parses `/users/:id<int>`, `/posts/:page?`, `/files/*path`.
 * @throws InvalidArgumentException for an invalid pattern.
 */
export function parsePattern(text: string): RoutePattern {
  if (!text.startsWith('/')) throw invalidPattern(text, 'it must start with "/"')
  if (text === '/') return { text, forms: [[]] }
  if (text.endsWith('/'))
    throw invalidPattern(text, 'it must not end with "/": see the trailing-slash rule')
  const segments: Segment[] = []
  const forms: Segment[][] = []
  const names = new Set<string>()
  for (const part of text.slice(1).split('/')) {
    const last = segments.at(-1)
    if (last?.kind === 'rest') throw invalidPattern(text, 'nothing may follow a catch-all')
    const { segment, optional } = parseSegment(part, text)
    if (segment.kind !== 'static') {
      if (names.has(segment.name)) {
        throw invalidPattern(text, `the name "${segment.name}" is used twice`)
      }
      names.add(segment.name)
    }
    if (optional) forms.push([...segments])
    else if (forms.length > 0) throw invalidPattern(text, 'only the end may be optional')
    segments.push(segment)
  }
  return { text, forms: [...forms, segments] }
}

/** The pattern without parameter names: two routes of the same shape match the same paths. */
export function shapeOf(segments: readonly Segment[]): string {
  return segments
    .map((segment) => {
      if (segment.kind === 'static') return `/${segment.text}`
      if (segment.kind === 'rest') return '/*'
      return segment.constraint === null ? '/:' : `/:<${segment.constraint.source}>`
    })
    .join('')
}

function parseSegment(part: string, text: string): { segment: Segment; optional: boolean } {
  if (part === '') throw invalidPattern(text, 'it contains an empty segment')
  const param = parameter.exec(part)
  if (param !== null) {
    const [, name = '', source, mark] = param
    const constraint = source === undefined ? null : parseConstraint(source, text)
    return { segment: { kind: 'param', name, constraint }, optional: mark === '?' }
  }
  const catchAll = rest.exec(part)
  if (catchAll !== null) {
    return { segment: { kind: 'rest', name: catchAll[1] ?? 'rest' }, optional: false }
  }
  if (/[:*<>?#\s]/.test(part)) {
    throw invalidPattern(
      text,
      `the segment "${part}" is neither text, ":name", ":name<kind>", ":name?" nor "*name"`,
    )
  }
  return { segment: { kind: 'static', text: encoded(part, text) }, optional: false }
}

function encoded(part: string, text: string): string {
  try {
    return encodeURI(decodeURI(part))
  } catch {
    throw invalidPattern(text, `the segment "${part}" has a % that begins no encoded character`)
  }
}

function parseConstraint(source: string, text: string): Constraint {
  const rank = Object.keys(named).indexOf(source)
  const known = named[source]
  if (known !== undefined) return { source, matches: known, rank, isNumber: source === 'int' }
  try {
    const matches = new RegExp(`^(?:${source})$`)
    return { source, matches, rank: customRank, isNumber: false }
  } catch {
    throw invalidPattern(
      text,
      `"${source}" is neither ${Object.keys(named).join(', ')} nor a regular expression`,
    )
  }
}

function invalidPattern(text: string, reason: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_ROUTE_PATTERN',
    `route pattern "${text}" is invalid: ${reason}`,
  )
}
