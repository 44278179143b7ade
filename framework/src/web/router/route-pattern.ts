import { InvalidArgumentException } from '../../base/errors.ts'

/** One piece of a pattern between two slashes. */
export type Segment =
  | { readonly kind: 'static'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string; readonly constraint: Constraint | null }
  | { readonly kind: 'rest'; readonly name: string }

/** What the text of a parameter must look like. Lower ranks are tried first. */
export interface Constraint {
  readonly source: string
  readonly matches: RegExp
  readonly rank: number
}

/** A parsed pattern: one list of segments for each form an optional end gives it. */
export interface RoutePattern {
  readonly text: string
  readonly forms: readonly (readonly Segment[])[]
}

const named: Readonly<Record<string, RegExp>> = {
  uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  int: /^\d{1,15}$/,
  hex: /^[\da-f]+$/i,
  alpha: /^[a-z]+$/i,
  slug: /^[a-z\d]+(?:-[a-z\d]+)*$/i,
}

const customRank = 100
const parameter = /^:([A-Za-z_]\w*)(?:<([^<>]+)>)?(\?)?$/
const rest = /^\*([A-Za-z_]\w*)?$/

/**
 * Parses `/users/:id<int>`, `/posts/:page?`, `/files/*path`.
 * @throws InvalidArgumentException that says what is wrong with the pattern.
 */
export function parsePattern(text: string): RoutePattern {
  if (!text.startsWith('/')) throw broken(text, 'it must start with "/"')
  if (text === '/') return { text, forms: [[]] }
  if (text.endsWith('/'))
    throw broken(text, 'it must not end with "/": see the trailing-slash rule')
  const segments: Segment[] = []
  const forms: Segment[][] = []
  const names = new Set<string>()
  for (const part of text.slice(1).split('/')) {
    const last = segments.at(-1)
    if (last?.kind === 'rest') throw broken(text, 'nothing may follow a catch-all')
    const { segment, optional } = parseSegment(part, text)
    if (segment.kind !== 'static') {
      if (names.has(segment.name)) throw broken(text, `the name "${segment.name}" stands twice`)
      names.add(segment.name)
    }
    if (optional) forms.push([...segments])
    else if (forms.length > 0) throw broken(text, 'only the end of a pattern may be optional')
    segments.push(segment)
  }
  return { text, forms: [...forms, segments] }
}

/** The pattern with parameter names left out: two routes of one shape answer the same paths. */
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
  if (part === '') throw broken(text, 'it holds an empty segment')
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
    throw broken(
      text,
      `the segment "${part}" is neither text, ":name", ":name<kind>", ":name?" nor "*name"`,
    )
  }
  return { segment: { kind: 'static', text: encodeURI(decodeURI(part)) }, optional: false }
}

function parseConstraint(source: string, text: string): Constraint {
  const rank = Object.keys(named).indexOf(source)
  const known = named[source]
  if (known !== undefined) return { source, matches: known, rank }
  try {
    return { source, matches: new RegExp(`^(?:${source})$`), rank: customRank }
  } catch {
    throw broken(
      text,
      `"${source}" is neither ${Object.keys(named).join(', ')} nor a regular expression`,
    )
  }
}

function broken(text: string, why: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_ROUTE_PATTERN',
    `route pattern "${text}" cannot be used: ${why}`,
  )
}
