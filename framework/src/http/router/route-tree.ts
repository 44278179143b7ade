import { HttpError } from '../errors/http-error.ts'
import type { Params } from '../request/request.ts'
import type { Constraint, Segment } from './route-pattern.ts'

/** A leaf found for a path, with the values of its parameters. */
export interface Match<Leaf> {
  readonly leaf: Leaf
  readonly params: Params
}

interface TextBranch<Leaf> {
  readonly text: string
  readonly node: Node<Leaf>
}

interface End<Leaf> {
  readonly leaf: Leaf
  readonly names: readonly string[]
  /** The names of the parameters that are numbers; null if none is, as with most routes. */
  readonly numbers: readonly string[] | null
}

interface Node<Leaf> {
  readonly texts: TextBranch<Leaf>[]
  /** The same by text, used if there are many. */
  readonly byText: Map<string, TextBranch<Leaf>>
  /** Most specific first; the unconstrained one, if any, is last. */
  readonly params: { readonly constraint: Constraint | null; readonly node: Node<Leaf> }[]
  end: End<Leaf> | null
  rest: End<Leaf> | null
}

const unconstrainedRank = 1000
/** Up to this number, comparing in place is faster than slicing the segment and hashing it. */
const fewTexts = 8
const none: Params = Object.freeze({})

/** Start and end of each parameter in the current path. Shared: a walk never runs inside another. */
const marks: number[] = []

/**
 * Finds the leaf for a path, with backtracking. Static text takes precedence over constrained
 * parameters, those over plain ones, and a catch-all comes last.
 */
export class RouteTree<Leaf> {
  readonly #fixed = new Map<string, Match<Leaf>>()
  readonly #root: Node<Leaf> = createNode()

  /** Adds a leaf. The caller has made sure that there is none with the same segments. */
  add(segments: readonly Segment[], leaf: Leaf): void {
    if (segments.every((segment) => segment.kind === 'static')) {
      const path = `/${segments.map((segment) => segment.text).join('/')}`
      this.#fixed.set(path, { leaf, params: none })
      return
    }
    const names: string[] = []
    const numbers = numbersIn(segments)
    let node = this.#root
    for (const segment of segments) {
      if (segment.kind !== 'static') names.push(segment.name)
      if (segment.kind === 'rest') {
        node.rest = { leaf, names, numbers }
        return
      }
      node =
        segment.kind === 'static' ? textOf(node, segment.text) : paramOf(node, segment.constraint)
    }
    node.end = { leaf, names, numbers }
  }

  /** @throws HttpError 400 for invalid percent-encoding in a parameter. */
  find(path: string): Match<Leaf> | null {
    const fixed = this.#fixed.get(path)
    if (fixed !== undefined) return fixed
    const end = walk(this.#root, path, 1, 0)
    return end === null ? null : { leaf: end.leaf, params: collect(end, path) }
  }
}

function walk<Leaf>(node: Node<Leaf>, path: string, from: number, depth: number): End<Leaf> | null {
  const slash = path.indexOf('/', from)
  const to = slash === -1 ? path.length : slash
  const child = branchOf(node, path, from, to)
  if (child !== null) {
    const end = slash === -1 ? child.end : walk(child, path, slash + 1, depth)
    if (end !== null) return end
  }
  if (to !== from) {
    for (const { constraint, node: branch } of node.params) {
      if (constraint !== null && !constraint.matches.test(path.slice(from, to))) continue
      const end = slash === -1 ? branch.end : walk(branch, path, slash + 1, depth + 1)
      if (end === null) continue
      mark(depth, from, to)
      return end
    }
  }
  if (node.rest !== null) mark(depth, from, path.length)
  return node.rest
}

function branchOf<Leaf>(
  { texts, byText }: Node<Leaf>,
  path: string,
  from: number,
  to: number,
): Node<Leaf> | null {
  if (texts.length > fewTexts) return byText.get(path.slice(from, to))?.node ?? null
  for (const { text, node } of texts) {
    if (text.length === to - from && path.startsWith(text, from)) return node
  }
  return null
}

function mark(depth: number, from: number, to: number): void {
  marks[depth * 2] = from
  marks[depth * 2 + 1] = to
}

function collect({ names, numbers }: End<unknown>, path: string): Params {
  const params: Record<string, string | number> = {}
  for (let at = 0; at < names.length; at += 1) {
    const value = path.slice(marks[at * 2], marks[at * 2 + 1])
    params[names[at] ?? ''] = value.includes('%') ? decode(value) : value
  }
  if (numbers !== null) for (const name of numbers) params[name] = Number(params[name])
  return params
}

function numbersIn(segments: readonly Segment[]): readonly string[] | null {
  const names = segments.flatMap((segment) =>
    segment.kind === 'param' && segment.constraint?.isNumber === true ? [segment.name] : [],
  )
  return names.length === 0 ? null : names
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw new HttpError(400, `the path segment "${value}" is not valid percent-encoding`)
  }
}

function createNode<Leaf>(): Node<Leaf> {
  return { texts: [], byText: new Map(), params: [], end: null, rest: null }
}

function textOf<Leaf>(node: Node<Leaf>, text: string): Node<Leaf> {
  const known = node.byText.get(text)
  if (known !== undefined) return known.node
  const branch = { text, node: createNode<Leaf>() }
  node.byText.set(text, branch)
  node.texts.push(branch)
  return branch.node
}

function paramOf<Leaf>(node: Node<Leaf>, constraint: Constraint | null): Node<Leaf> {
  const known = node.params.find((branch) => branch.constraint?.source === constraint?.source)
  if (known !== undefined) return known.node
  const branch = { constraint, node: createNode<Leaf>() }
  node.params.push(branch)
  node.params.sort((a, b) => rankOf(a.constraint) - rankOf(b.constraint))
  return branch.node
}

function rankOf(constraint: Constraint | null): number {
  return constraint?.rank ?? unconstrainedRank
}
