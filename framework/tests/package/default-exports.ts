import { isExportAssignment, isExportSpecifier, SyntaxKind } from 'typescript/unstable/ast'
import type { Node } from 'typescript/unstable/ast'
import { parseTree, placeOf, walk } from './parse-tree.ts'

/** Each default export under `folder`: a thing keeps one name only when it is exported by name. */
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
  // The keyword is a node of its own only as a modifier: a `default:` of a switch is none.
  return isExportAssignment(node) || node.kind === SyntaxKind.DefaultKeyword
}
