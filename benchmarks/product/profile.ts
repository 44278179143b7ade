import type { Profiler } from 'node:inspector'

/** What code belongs to, in the order of the report. */
export const Parts = {
  System: 'Node and the system',
  Driver: 'driver, SQLite',
  Http: 'HTTP',
  Accounts: 'accounts, sessions',
  Data: 'ORM, lists, SQL',
  Page: 'views',
  Garbage: 'garbage',
  Rest: 'the rest',
} as const
export type Parts = (typeof Parts)[keyof typeof Parts]

/** Of the CPU of a server, by what it was spent on; together they are 1. */
export type Shares = ReadonlyMap<Parts, number>

type Frame = Profiler.ProfileNode['callFrame']

/** The first that fits decides; what has no file belongs to its caller. */
const parts: readonly (readonly [Parts, RegExp])[] = [
  [Parts.Driver, /\/sqlite-statement\.js|\/node_modules\/(?:pg|mariadb|@?redis|ioredis)/],
  [Parts.Accounts, /\/framework\/dist\/(?:accounts|http\/session)\//],
  [Parts.Data, /\/framework\/dist\/(?:database|orm|http\/(?:lists|input))\//],
  [Parts.Page, /\.html$|\/framework\/dist\/base\/templates\//],
  [Parts.Http, /\/framework\/dist\//],
  [Parts.System, /^node:/],
  [Parts.Rest, /./],
]

/** What a profile of a server says. */
export function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Shares {
  const partOf = new Map<number, Parts | null>()
  for (const { id, callFrame, children = [] } of nodes) {
    const part = partOfFrame(callFrame, partOf.get(id) ?? Parts.System)
    partOf.set(id, part)
    // Parents come before their children, which look here for their own.
    for (const child of children) partOf.set(child, part)
  }
  const micros = new Map<Parts, number>()
  let busy = 0
  for (const [at, node] of samples.entries()) {
    const part = partOf.get(node) ?? null
    if (part === null) continue
    const delta = timeDeltas[at] ?? 0
    busy += delta
    micros.set(part, (micros.get(part) ?? 0) + delta)
  }
  return new Map(Object.values(Parts).map((part) => [part, (micros.get(part) ?? 0) / busy]))
}

/** Null while it waits for work. */
function partOfFrame({ functionName, url }: Frame, caller: Parts): Parts | null {
  if (functionName === '(idle)') return null
  if (functionName === '(garbage collector)') return Parts.Garbage
  if (url === '') return caller
  return parts.find(([, pattern]) => pattern.test(url))?.[0] ?? Parts.Rest
}
