import { posix } from 'node:path'
import { isNoSubstitutionTemplateLiteral, isStringLiteral } from 'typescript/unstable/ast'
import type { Node } from 'typescript/unstable/ast'
import { placeOf } from './parse-tree.ts'
import type { ParsedFile } from './parse-tree.ts'

/** An import in a file: static, re-exported, dynamic or type-only. */
export interface ImportEdge {
  readonly from: string
  /** The path of a relative specifier, or `null` for a package. */
  readonly to: string | null
  readonly specifier: string
  readonly place: string
}

/** All imports of the files, as the compiler lists them, including `import('./x.ts').T`. */
export function importEdges(files: readonly ParsedFile[]): ImportEdge[] {
  return files.flatMap((file) =>
    file.ast.imports.map((node) => {
      const specifier = textOf(node)
      const to = target(file.path, specifier)
      return { from: file.path, to, specifier, place: placeOf(file, node) }
    }),
  )
}

function textOf(node: Node): string {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text
  throw new Error(`the compiler lists an import whose specifier is of kind ${node.kind}`)
}

function target(from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null
  return posix.join(posix.dirname(from), specifier)
}
