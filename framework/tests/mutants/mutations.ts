import { SyntaxKind } from 'typescript/unstable/ast'
import type { Node, SourceFile } from 'typescript/unstable/ast'

/** A small change of a source that should make a test fail. */
export interface Mutant {
  /** From 0, in the source. */
  readonly from: number
  readonly to: number
  /** What stands there instead. */
  readonly by: string
}

const operators: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '+=': '-=',
  '-=': '+=',
  '??': '&&',
}

/** The mutants of a source, in its order. Types, imports and texts of errors stay as they are. */
export function mutantsOf(file: SourceFile): readonly Mutant[] {
  const source = file.text
  const mutants: Mutant[] = []
  const add = (from: number, to: number, by: string): void => {
    if (source.slice(from, to) !== by) mutants.push({ from, to, by })
  }
  visit(file)
  return mutants.toSorted((one, other) => one.from - other.from || one.to - other.to)

  function visit(node: Node): void {
    if (isLeftAlone(node)) return
    const start = node.getStart(file)
    const text = source.slice(start, node.end)
    if (node.kind === SyntaxKind.TrueKeyword) add(start, node.end, 'false')
    if (node.kind === SyntaxKind.FalseKeyword) add(start, node.end, 'true')
    if (node.kind === SyntaxKind.NumericLiteral) add(start, node.end, `(${text} + 1)`)
    if (node.kind === SyntaxKind.StringLiteral)
      add(start, node.end, text.length > 2 ? "''" : "'mutant'")
    if (node.kind === SyntaxKind.ExpressionStatement) add(start, node.end, ';')
    const children: Node[] = []
    node.forEachChild((child) => void children.push(child))
    if (node.kind === SyntaxKind.PrefixUnaryExpression && text.startsWith('!'))
      add(start, start + 1, '')
    if (node.kind === SyntaxKind.BinaryExpression) {
      const [left, operator, right] = children
      if (left !== undefined && operator !== undefined && right !== undefined) {
        const from = operator.getStart(file)
        const by = operators[source.slice(from, operator.end)]
        if (by !== undefined) add(from, operator.end, by)
      }
    }
    const [condition] = children
    const isChoice =
      node.kind === SyntaxKind.IfStatement || node.kind === SyntaxKind.ConditionalExpression
    if (isChoice && condition !== undefined) {
      for (const by of ['true', 'false']) add(condition.getStart(file), condition.end, by)
    }
    for (const child of children) visit(child)
  }

  function isLeftAlone(node: Node): boolean {
    if (node.kind === SyntaxKind.ImportDeclaration || node.kind === SyntaxKind.ExportDeclaration)
      return true
    if (
      node.kind === SyntaxKind.InterfaceDeclaration ||
      node.kind === SyntaxKind.TypeAliasDeclaration
    )
      return true
    // Types of parameters, fields and results.
    if (node.kind >= SyntaxKind.FirstTypeNode && node.kind <= SyntaxKind.LastTypeNode) return true
    if (node.kind === SyntaxKind.ThrowStatement) return false
    if (node.kind !== SyntaxKind.NewExpression) return false
    return /^new \w*(?:Error|Exception)\(/.test(source.slice(node.getStart(file), node.end))
  }
}
