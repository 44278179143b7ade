import {
  isBinaryExpression,
  isCallExpression,
  isNewExpression,
  isPropertyAccessExpression,
  isStringLiteral,
  SyntaxKind,
} from 'typescript/unstable/ast'
import type { Node } from 'typescript/unstable/ast'
import { parseTree, walk } from './parse-tree.ts'
import type { ParsedFile } from './parse-tree.ts'

/** Session keys under which nobody is signed in, nor half signed in. */
const harmless = /^(SessionKeys\.(?!Pending\b)\w+|csrfKey)$/
const accountKeys: ReadonlySet<string> = new Set(['identity', 'pending'])

/**
 * Each statement under `folder` that may sign somebody in: one that stores an account in a session, under
 * a key of its own or one that is only known when it runs, one that says who a request is of, and a gate that
 * asks for no factor. Tests are left out. The result is `file: statement`, without line numbers, in source
 * order.
 */
export function findIdentityWriters(folder: string): string[] {
  const findings: string[] = []
  for (const file of parseTree(folder)) {
    if (/\.test\.ts$|^tests\//.test(file.path)) continue
    walk(file.ast, (node) => {
      if (!storesAccount(file, node) && !namesUser(node) && !asksForNothing(file, node)) return
      findings.push(`${file.path}: ${textOf(file, node)}`)
    })
  }
  return findings
}

function storesAccount(file: ParsedFile, node: Node): boolean {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return false
  if (node.expression.name.text !== 'set') return false
  const [key, value] = node.arguments
  if (key === undefined || value === undefined) return false
  if (isStringLiteral(key)) return accountKeys.has(key.text)
  const text = textOf(file, key)
  if (harmless.test(text)) return false
  // Maps have a method of this name too, but no account is stored under the key of a guard there.
  return /session/i.test(textOf(file, node.expression.expression)) || /\.#?key$/.test(text)
}

function namesUser(node: Node): boolean {
  if (!isBinaryExpression(node) || node.operatorToken.kind !== SyntaxKind.EqualsToken) return false
  const { left, right } = node
  const isIdentity = isPropertyAccessExpression(left) && left.name.text === 'identity'
  return isIdentity && right.kind !== SyntaxKind.NullKeyword
}

function textOf(file: ParsedFile, node: Node): string {
  return node.getText(file.ast).replaceAll(/\s+/g, ' ')
}

function asksForNothing(file: ParsedFile, node: Node): boolean {
  if (!isNewExpression(node) || textOf(file, node.expression) !== 'SignInGate') return false
  return (node.arguments ?? []).length === 0
}
