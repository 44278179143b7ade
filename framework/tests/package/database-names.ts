import {
  isBindingElement,
  isElementAccessExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isObjectBindingPattern,
  isParameterDeclaration,
  isPrivateIdentifier,
  isPropertyAccessExpression,
  isStringLiteral,
  isTemplateHead,
  isTemplateMiddleOrTemplateTail,
  isTypeReferenceNode,
  isVariableDeclaration,
} from 'typescript/unstable/ast'
import type { Node } from 'typescript/unstable/ast'
import { parseTree, placeOf, walk } from './parse-tree.ts'

/** Where a database may be named: its dialect, its driver, and the list of drivers. */
const places = /^database\/(sql\/dialects\/|(sqlite|postgres|mariadb)\/|drivers\.ts$)/

/** Other files that may name a database, with the reason. */
export const exceptions: Readonly<Record<string, string>> = {
  'database/kysely.ts': 'chooses the classes by which Kysely writes SQL',
  'public/database.ts': 'users compare `dialect.name` with the enumeration',
  'devtools/inspector/record-file.ts':
    'keeps records in the SQLite of Node.js, whichever database the application has',
  'base/files/file-lock.ts':
    'takes a lock through the SQLite of Node.js, whichever database the application has',
}

const names = /sqlite|postgres|mariadb|mysql/i

/**
 * Each place under `src` that names a database or checks which one it is, outside of the dialects
 * and drivers. Elsewhere the dialect says what the database can do. Unit tests are exempt.
 */
export function findDatabaseNames(
  src: string,
  excepted: Readonly<Record<string, string>> = exceptions,
): string[] {
  const findings: string[] = []
  const needed = new Set<string>()
  for (const file of parseTree(src)) {
    if (places.test(file.path) || file.path.endsWith('.test.ts')) continue
    walk(file.ast, (node) => {
      const said = databaseSaid(node)
      if (said === null) return
      if (Object.hasOwn(excepted, file.path)) needed.add(file.path)
      else findings.push(`${placeOf(file, node)} ${said}: let the dialect say what differs`)
    })
  }
  const idle = Object.keys(excepted).filter((path) => !needed.has(path))
  return [...findings, ...idle.map((path) => `${path} names no database: it is no exception`)]
}

function databaseSaid(node: Node): string | null {
  const text = textOf(node)
  if (text !== null && names.test(text)) return `names ${names.exec(text)?.[0]}`
  if (isIdentifier(node) && node.text === 'Dialects') return 'takes the list of databases'
  return asksName(node) ? 'reads the name of the dialect' : null
}

/** The text of an identifier, a string or part of a template. */
function textOf(node: Node): string | null {
  const hasText =
    isIdentifier(node) ||
    isPrivateIdentifier(node) ||
    isStringLiteral(node) ||
    isNoSubstitutionTemplateLiteral(node) ||
    isTemplateHead(node) ||
    isTemplateMiddleOrTemplateTail(node)
  return hasText ? node.text : null
}

function asksName(node: Node): boolean {
  if (isPropertyAccessExpression(node)) {
    return node.name.text === 'name' && isDialect(node.expression)
  }
  if (isElementAccessExpression(node)) {
    const key = node.argumentExpression
    return isStringLiteral(key) && key.text === 'name' && isDialect(node.expression)
  }
  if (isVariableDeclaration(node)) {
    const source = node.initializer
    return source !== undefined && isDialect(source) && takesName(node.name)
  }
  if (isParameterDeclaration(node)) {
    return node.type !== undefined && isDialectType(node.type) && takesName(node.name)
  }
  if (isBindingElement(node)) {
    const key = node.propertyName
    const isInside = key !== undefined && isIdentifier(key) && key.text === 'dialect'
    return isInside && takesName(node.name)
  }
  return false
}

/** `dialect`, `surface.dialect`, `this.#dialect` and so on. */
function isDialect(node: Node): boolean {
  const name = isPropertyAccessExpression(node) ? node.name : node
  if (!isIdentifier(name) && !isPrivateIdentifier(name)) return false
  return /^#?dialect$/i.test(name.text)
}

function isDialectType(node: Node): boolean {
  if (!isTypeReferenceNode(node)) return false
  return isIdentifier(node.typeName) && node.typeName.text === 'Dialect'
}

/** Whether a pattern such as `{ name: which, quote }` reads the property. */
function takesName(pattern: Node | undefined): boolean {
  if (pattern === undefined || !isObjectBindingPattern(pattern)) return false
  return pattern.elements.some((element) => {
    const key = element.propertyName ?? element.name
    return key !== undefined && isIdentifier(key) && key.text === 'name'
  })
}
