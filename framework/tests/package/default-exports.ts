import { isExportAssignment, isExportSpecifier, SyntaxKind } from 'typescript/unstable/ast'
import type { Node } from 'typescript/unstable/ast'
import { parseTree, placeOf, walk } from './parse-tree.ts'

/** Each default export under `folder`: only a named export has the same name everywhere. */
export function findDefaultExports(folder: string): string[] {
  const findings: string[] = []
  for (const file of parseTree(folder)) {
    walk(file.ast, (node) => {
      if (isDefaultExport(node)) findings.push(`${placeOf(file, node)} exports a default`)
    })
  }
  return findings
}

function isDefaultExport(node: Node): boolean {
  if (isExportSpecifier(node)) return node.name.text === 'default'
  // Only as a modifier is the keyword a node of its own: a `default:` of a switch does not count.
  return isExportAssignment(node) || node.kind === SyntaxKind.DefaultKeyword
}
