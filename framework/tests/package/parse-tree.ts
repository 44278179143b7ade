import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

/** A parsed file; `path` is relative to the parsed folder and uses `/`. */
export interface ParsedFile {
  readonly path: string
  readonly ast: SourceFile
}

// One per process, never closed: it ends with the process.
const compiler = new API({ cwd: tmpdir() })

const parsed = new Map<string, readonly ParsedFile[]>()

/**
 * Every TypeScript file under `folder`, parsed by the compiler itself, once in a process.
 * @throws when the compiler misses a file on disk: no check may pass by not looking.
 */
export function parseTree(folder: string): readonly ParsedFile[] {
  const files = parsed.get(folder) ?? parse(folder)
  parsed.set(folder, files)
  return files
}

function parse(folder: string): readonly ParsedFile[] {
  const paths = globSync('**/*.ts', { cwd: folder }).toSorted()
  if (paths.length === 0) return []
  const scratch = mkdtempSync(join(tmpdir(), 'framework-parse-'))
  const project = join(scratch, 'tsconfig.json')
  const files = paths.map((path) => join(folder, path))
  // Parses only: nothing is resolved, so a planted tree needs neither packages nor types.
  const compilerOptions = { noResolve: true, noLib: true, types: [], noEmit: true }
  writeFileSync(project, JSON.stringify({ compilerOptions, files }))
  try {
    using snapshot = compiler.updateSnapshot({ openProjects: [project] })
    const program = snapshot.getProject(project)?.program
    return paths.map((path) => {
      const ast = program?.getSourceFile(join(folder, path))
      if (ast === undefined) throw new Error(`the compiler did not parse ${path}`)
      return { path, ast }
    })
  } finally {
    compiler.updateSnapshot({ closeProjects: [project] }).dispose()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** `path:line` of a node, for a finding. */
export function placeOf(file: ParsedFile, node: Node): string {
  const start = node.getStart(file.ast)
  return `${file.path}:${file.ast.getLineAndCharacterOfPosition(start).line + 1}`
}

/** Calls `visit` for the node and its descendants, in source order. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  node.forEachChild((child) => walk(child, visit))
}
