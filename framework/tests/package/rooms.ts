import { readFileSync } from 'node:fs'
import { importEdges } from './import-edges.ts'
import type { ImportEdge } from './import-edges.ts'
import { parseTree } from './parse-tree.ts'

/** What a check saw and its findings. The counts show that it looked in the right place. */
export interface RoomReport {
  readonly files: number
  readonly edges: number
  readonly findings: readonly string[]
}

/** The floor of each room; 0 is the lowest. */
export type Floors = ReadonlyMap<string, number>

/** Reads the table of floors in `docs/rooms.md`, whose first row is the highest. */
export function readFloors(page: string): Floors {
  const rows = readFileSync(page, 'utf8').matchAll(/^\| (\d+) \| (`[a-z0-9` ]+`) \|/gm)
  return new Map(
    [...rows].flatMap(([, floor, rooms = '']) =>
      rooms.split(' ').map((room) => [room.slice(1, -1), Number(floor)] as const),
    ),
  )
}

/**
 * Checks the rule of rooms for the files under `src`: a file imports its own room or one on a lower floor,
 * nothing imports `public` or the package by its own name. A unit test may set its stage with any room, and with
 * `framework/tests`.
 */
export function checkRooms(src: string, floors: Floors): RoomReport {
  const files = parseTree(src)
  const known = new Set(files.map(({ path }) => path))
  const edges = importEdges(files)
  const homeless = files
    .filter(({ path }) => !floors.has(roomOf(path)))
    .map(({ path }) => `${path} lies in no room`)
  const used = new Set(files.map(({ path }) => roomOf(path)))
  const empty = [...floors.keys()]
    .filter((room) => !used.has(room))
    .map((room) => `${room} has a floor and no file`)
  const findings = [...homeless, ...empty, ...edges.flatMap((edge) => objections(edge, known))]
  return { files: files.length, edges: edges.length, findings }

  function objections({ from, to, specifier, place }: ImportEdge, paths: Set<string>): string[] {
    if (to === null) {
      const own = specifier === 'framework' || /^(framework\/|#)/.test(specifier)
      return own ? [`${place} imports ${specifier}: inside, import the file itself`] : []
    }
    if (to.startsWith('../tests/') && from.endsWith('.test.ts')) return []
    if (to.startsWith('../')) return [`${place} imports ${to}, outside src`]
    if (!paths.has(to)) return [`${place} imports ${to}, which does not exist`]
    const [low, high] = [roomOf(from), roomOf(to)]
    if (from.endsWith('.test.ts') && high !== 'public') return []
    if (low === high || !((floors.get(high) ?? 0) >= (floors.get(low) ?? 0))) return []
    return [`${place} imports ${to}: ${low} may not import ${high}`]
  }
}

function roomOf(path: string): string {
  return path.slice(0, Math.max(0, path.indexOf('/')))
}
