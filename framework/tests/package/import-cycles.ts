import { importEdges } from './import-edges.ts'
import { parseTree } from './parse-tree.ts'

/** Each import cycle under `folder` as `a.ts → b.ts → a.ts`, type imports included. */
export function findImportCycles(folder: string): string[] {
  const files = parseTree(folder)
  const imports = new Map<string, string[]>(files.map(({ path }) => [path, []]))
  for (const { from, to } of importEdges(files)) {
    if (to !== null && imports.has(to)) imports.get(from)?.push(to)
  }
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start !== -1) {
      cycles.push([...trail.slice(start), path].join(' → '))
      return
    }
    if (done.has(path)) return
    for (const next of new Set(imports.get(path))) visit(next, [...trail, path])
    done.add(path)
  }
  for (const { path } of files) visit(path, [])
  return cycles
}
