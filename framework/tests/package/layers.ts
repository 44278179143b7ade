import { importEdges } from './import-edges.ts'
import type { ImportEdge } from './import-edges.ts'
import { parseTree } from './parse-tree.ts'

/** What a check saw and its findings. The counts show that it looked in the right place. */
export interface LayerReport {
  readonly files: number
  readonly edges: number
  readonly findings: readonly string[]
}

const order = ['base', 'services', 'data', 'app', 'web', 'console']

/**
 * Checks the layer rule for the files under `src`: a file imports its own layer or a lower one,
 * `public` imports any, nothing imports `public` or the package by its own name. A unit test may also
 * import `framework/tests`.
 */
export function checkLayers(src: string): LayerReport {
  const files = parseTree(src)
  const known = new Set(files.map(({ path }) => path))
  const edges = importEdges(files)
  const homeless = files
    .filter(({ path }) => rankOf(path) === null)
    .map(({ path }) => `${path} lies in no layer`)
  const findings = [...homeless, ...edges.flatMap((edge) => objections(edge, known))]
  return { files: files.length, edges: edges.length, findings }
}

function objections({ from, to, specifier, place }: ImportEdge, known: Set<string>): string[] {
  if (to === null) {
    const own = specifier === 'framework' || /^(framework\/|#)/.test(specifier)
    return own ? [`${place} imports ${specifier}: inside, import the file itself`] : []
  }
  if (to.startsWith('../tests/') && from.endsWith('.test.ts')) return []
  if (to.startsWith('../')) return [`${place} imports ${to}, outside src`]
  if (!known.has(to)) return [`${place} imports ${to}, which does not exist`]
  const [fromRank, toRank] = [rankOf(from), rankOf(to)]
  if (fromRank === null || toRank === null || toRank <= fromRank) return []
  return [`${place} imports ${to}: ${layerOf(from)} may not import ${layerOf(to)}`]
}

/** The rank of a file's layer; `public` is above all, so that only it may import itself. */
function rankOf(path: string): number | null {
  const rank = [...order, 'public'].indexOf(layerOf(path))
  return rank === -1 ? null : rank
}

function layerOf(path: string): string {
  return path.slice(0, Math.max(0, path.indexOf('/')))
}
