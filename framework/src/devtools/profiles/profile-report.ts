import { readFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { profilePath } from './take-profile.ts'

/** A function of a profile. */
export interface ProfiledCall {
  readonly name: string
  /** File and line of what took longest; empty for the engine's own work. */
  readonly place: string
  /** Whether it is the project's own code. */
  readonly isOwn: boolean
  /** Samples in it, or bytes that it allocated, and in it and what it called. */
  readonly self: number
  readonly total: number
}

/** A call on the stack of a profile. */
export interface ProfiledFrame extends ProfiledCall {
  readonly id: number
  readonly children: readonly ProfiledFrame[]
}

/** What a worker did while it was profiled. */
export interface ProfileReport {
  /** Part of the time in which it was busy. */
  readonly busy: number
  /** Everything it did, as a tree of calls. */
  readonly root: ProfiledFrame
  /** Functions by their own time; those of the project by that of what they called, too. */
  readonly calls: readonly ProfiledCall[]
  readonly own: readonly ProfiledCall[]
}

/** Reads the file of a profile. @throws Error if it is not there. */
export function readProfile(root: string, id: string): ProfileReport {
  const text = readFileSync(profilePath(root, id, 'cpuprofile'), 'utf8')
  const { nodes }: Profiler.Profile = JSON.parse(text)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const calls = new Map<string, { -readonly [Key in keyof ProfiledCall]: ProfiledCall[Key] }>()

  const frameOf = (node: Profiler.ProfileNode, above: ReadonlySet<string>): ProfiledFrame => {
    const { functionName, url, lineNumber } = node.callFrame
    const key = `${functionName} ${url}:${lineNumber}`
    const inside = new Set(above).add(key)
    const children = (node.children ?? []).flatMap((id) => {
      const child = byId.get(id)
      return child === undefined || child.callFrame.functionName === '(idle)'
        ? []
        : frameOf(child, inside)
    })
    const self = node.hitCount ?? 0
    const total = children.reduce((sum, child) => sum + child.total, self)
    const isOwn = url !== '' && !/^(?:node:|node_modules\/|…)/.test(url)
    const place = url === '' ? '' : `${url}:${hottestLine(node)}`
    const name = functionName === '' ? '(anonymous)' : functionName
    const known = calls.get(key)
    if (known === undefined) calls.set(key, { name, place, isOwn, self, total })
    else {
      if (self > known.self) known.place = place
      known.self += self
      // A function that calls itself is counted once.
      if (!above.has(key)) known.total += total
    }
    const sorted = children.toSorted((one, other) => other.total - one.total)
    return { id: node.id, name, place, isOwn, self, total, children: sorted }
  }

  const [first] = nodes
  if (first === undefined) throw new Error(`the profile ${id} is empty`)
  const tree = frameOf(first, new Set())
  const all = nodes.reduce((sum, { hitCount = 0 }) => sum + hitCount, 0)
  const named = [...calls.values()].filter(({ name }) => name !== '(root)')
  return {
    busy: all === 0 ? 0 : tree.total / all,
    root: tree,
    calls: named.filter(({ self }) => self > 0).toSorted((one, other) => other.self - one.self),
    own: named.filter(({ isOwn }) => isOwn).toSorted((one, other) => other.total - one.total),
  }
}

/** The line of a function with most samples; its first without any. */
function hottestLine({ positionTicks = [], callFrame }: Profiler.ProfileNode): number {
  const [hottest] = positionTicks.toSorted((one, other) => other.ticks - one.ticks)
  return hottest?.line ?? callFrame.lineNumber + 1
}
