import {
  isBindingElement,
  isElementAccessExpression,
  isIdentifier,
  isImportSpecifier,
  isPropertyAccessExpression,
  isStringLiteral,
  isVariableDeclaration,
} from 'typescript/unstable/ast'
import type { Node } from 'typescript/unstable/ast'
import { parseTree, placeOf, walk } from './parse-tree.ts'

const readers = /^(settings|project|testing|console)\//

/** Other files that may, with the reason. */
export const exceptions: Readonly<Record<string, string>> = {
  'accounts/passwords/hashing-queue.ts': 'Node.js itself reads the size of its pool there',
  'http/server/fleet/workers.ts': 'the primary tells a worker its slot',
  'http/watch/watch-messages.ts': 'the watcher tells its child who it is',
}

/**
 * Each place under `src` that reads `process.env`, however it is written, outside of the rooms that read
 * settings. Unit tests may: they pass an environment to the processes they start.
 */
export function findEnvReads(src: string): string[] {
  const findings: string[] = []
  for (const file of parseTree(src)) {
    if (readers.test(file.path) || file.path.endsWith('.test.ts')) continue
    if (Object.hasOwn(exceptions, file.path)) continue
    walk(file.ast, (node) => {
      if (!readsEnv(node)) return
      findings.push(`${placeOf(file, node)} reads process.env: let the project hand the value down`)
    })
  }
  return findings
}

function readsEnv(node: Node): boolean {
  if (isPropertyAccessExpression(node))
    return node.name.text === 'env' && isProcess(node.expression)
  if (isElementAccessExpression(node)) {
    const key = node.argumentExpression
    return isStringLiteral(key) && key.text === 'env' && isProcess(node.expression)
  }
  if (isVariableDeclaration(node)) {
    const source = node.initializer
    return source !== undefined && isProcess(source) && takesEnv(node.name)
  }
  if (isImportSpecifier(node)) return takesEnv(node) && fromProcess(node)
  return false
}

/** `process`, `globalThis.process` and so on. */
function isProcess(node: Node): boolean {
  if (isPropertyAccessExpression(node)) return node.name.text === 'process'
  return isIdentifier(node) && node.text === 'process'
}

/** Whether a pattern such as `{ env: variables }` reads the property. */
function takesEnv(pattern: Node): boolean {
  let taken = false
  walk(pattern, (node) => {
    if (!isBindingElement(node) && !isImportSpecifier(node)) return
    const name = node.propertyName ?? node.name
    if (name !== undefined && isIdentifier(name) && name.text === 'env') taken = true
  })
  return taken
}

function fromProcess(node: Node): boolean {
  const declaration = node.parent.parent.parent
  let found = false
  declaration.forEachChild((child) => {
    if (isStringLiteral(child) && /^(node:)?process$/.test(child.text)) found = true
  })
  return found
}
