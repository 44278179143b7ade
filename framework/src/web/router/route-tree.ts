import { HttpError } from '../errors/http-error.ts'
import type { Params } from '../request/request.ts'
import type { Constraint, Segment } from './route-pattern.ts'

/** What a path led to, with the values of its parameters in the order of the pattern. */
export interface Match<Leaf> {
  readonly leaf: Leaf
  readonly params: Params
}

interface ParamBranch<Leaf> {
  readonly constraint: Constraint | null
  readonly node: Node<Leaf>
}

interface End<Leaf> {
  readonly leaf: Leaf
  readonly names: readonly string[]
}

interface Node<Leaf> {
  readonly children: Map<string, Node<Leaf>>
  /** Most demanding first; the unconstrained one, if any, is last. */
  readonly params: ParamBranch<Leaf>[]
  end: End<Leaf> | null
  rest: End<Leaf> | null
}

const unconstrainedRank = 1000
const none: Params = Object.freeze({})

/**
 * Finds the leaf for a path. Fixed text wins over constrained parameters, those over plain ones,
 * and a catch-all comes last; a branch that leads nowhere is left again.
 */
export class RouteTree<Leaf> {
  readonly #fixed = new Map<string, Match<Leaf>>()
  readonly #root: Node<Leaf> = createNode()

  /** Adds a leaf under segments. The caller has made sure that no other stands there. */
  add(segments: readonly Segment[], leaf: Leaf): void {
    if (segments.every((segment) => segment.kind === 'static')) {
      const path = `/${segments.map((segment) => segment.text).join('/')}`
      this.#fixed.set(path, { leaf, params: none })
      return
    }
    const names: string[] = []
    let node = this.#root
    for (const segment of segments) {
      if (segment.kind !== 'static') names.push(segment.name)
      if (segment.kind === 'rest') {
        node.rest = { leaf, names }
        return
      }
      node =
        segment.kind === 'static' ? childOf(node, segment.text) : paramOf(node, segment.constraint)
    }
    node.end = { leaf, names }
  }

  /** @throws HttpError 400 when a parameter's percent-encoding is broken. */
  find(path: string): Match<Leaf> | null {
    const fixed = this.#fixed.get(path)
    if (fixed !== undefined) return fixed
    const values: string[] = []
    const end = walk(this.#root, path, 1, values)
    return end === null ? null : { leaf: end.leaf, params: collect(end.names, values) }
  }
}

function walk<Leaf>(
  node: Node<Leaf>,
  path: string,
  from: number,
  values: string[],
): End<Leaf> | null {
  const slash = path.indexOf('/', from)
  const text = slash === -1 ? path.slice(from) : path.slice(from, slash)
  if (node.children.size !== 0) {
    const child = node.children.get(text)
    if (child !== undefined) {
      const end = slash === -1 ? child.end : walk(child, path, slash + 1, values)
      if (end !== null) return end
    }
  }
  if (text !== '') {
    for (const { constraint, node: branch } of node.params) {
      if (constraint !== null && !constraint.matches.test(text)) continue
      values.push(text)
      const end = slash === -1 ? branch.end : walk(branch, path, slash + 1, values)
      if (end !== null) return end
      values.pop()
    }
  }
  if (node.rest === null) return null
  values.push(path.slice(from))
  return node.rest
}

function collect(names: readonly string[], values: readonly string[]): Params {
  const params: Record<string, string> = {}
  for (let at = 0; at < names.length; at += 1) {
    const value = values[at] ?? ''
    params[names[at] ?? ''] = value.includes('%') ? decode(value) : value
  }
  return params
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw new HttpError(400, `the path segment "${value}" is not valid percent-encoding`)
  }
}

function createNode<Leaf>(): Node<Leaf> {
  return { children: new Map(), params: [], end: null, rest: null }
}

function childOf<Leaf>(node: Node<Leaf>, text: string): Node<Leaf> {
  const known = node.children.get(text)
  if (known !== undefined) return known
  const child = createNode<Leaf>()
  node.children.set(text, child)
  return child
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
