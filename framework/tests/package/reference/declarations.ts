import { posix } from 'node:path'
import {
  isBlock,
  isClassDeclaration,
  isExportDeclaration,
  isExpressionWithTypeArguments,
  isFunctionDeclaration,
  isIdentifier,
  isImportDeclaration,
  isInterfaceDeclaration,
  isNamedExports,
  isNamedImports,
  isNamespaceExport,
  isStringLiteral,
  isTypeAliasDeclaration,
  isTypeReferenceNode,
  isVariableStatement,
} from 'typescript/unstable/ast'
import type { Node, SourceFile, Statement } from 'typescript/unstable/ast'
import type { ParsedFile } from '../parse-tree.ts'
import { isPublic } from './describe.ts'

/** A statement that declares a name, and its file. */
export interface Declaration {
  readonly path: string
  readonly ast: SourceFile
  readonly node: Statement
}

/** What a barrel exports under a name: declarations, or all names of a file. */
export type Exported =
  | { readonly name: string; readonly declarations: readonly Declaration[] }
  | { readonly name: string; readonly members: readonly Exported[] }

/** The exports of the file at `path`, each name resolved to its declaration. */
export function exportsOf(path: string, files: ReadonlyMap<string, ParsedFile>): Exported[] {
  const { ast } = fileAt(path, files)
  const exported = ast.statements.filter((one) => ast.text.startsWith('export ', one.getStart(ast)))
  const own = new Set(exported.flatMap(declaredNames))
  const named = [...own].map((name) => ({ name, declarations: declarationsOf(name, path, files) }))
  const passedOn = ast.statements.flatMap((statement): Exported[] => {
    if (!isExportDeclaration(statement)) return []
    const { exportClause, moduleSpecifier } = statement
    const from = moduleSpecifier === undefined ? path : target(path, moduleSpecifier)
    if (exportClause === undefined) return exportsOf(from, files)
    if (isNamespaceExport(exportClause)) {
      return [{ name: exportClause.name.text, members: exportsOf(from, files) }]
    }
    if (!isNamedExports(exportClause)) return []
    return exportClause.elements.map(({ name, propertyName }) => ({
      name: name.text,
      declarations: declarationsOf((propertyName ?? name).text, from, files),
    }))
  })
  return [...named, ...passedOn]
}

/**
 * Finds the declarations of an exported name; a value and a type of one name are two.
 * @throws when there is none: the reference must not silently omit a name.
 */
function declarationsOf(
  name: string,
  path: string,
  files: ReadonlyMap<string, ParsedFile>,
): Declaration[] {
  const { ast } = fileAt(path, files)
  const own = ast.statements.filter((statement) => declaredNames(statement).includes(name))
  if (own.length > 0) return own.map((node) => ({ path, ast, node }))
  for (const statement of ast.statements) {
    const from = sourceOf(statement, name)
    if (from !== null) return declarationsOf(from.name, target(path, from.module), files)
  }
  throw new Error(`${path} does not declare ${name}`)
}

/**
 * The declarations of the types that the code of a declaration names in what callers see: parameters, results,
 * public members. Types of other packages and type parameters are left out.
 */
export function namedTypes(
  { path, node }: Declaration,
  files: ReadonlyMap<string, ParsedFile>,
): Map<string, readonly Declaration[]> {
  const found = new Map<string, readonly Declaration[]>()
  const visit = (child: Node): void => {
    if (isBlock(child) || !isPublic(child)) return
    const name = typeNamed(child)
    if (name !== null) {
      const declarations = ownDeclarations(name, path, files)
      if (declarations.length > 0) found.set(name, declarations)
    }
    child.forEachChild(visit)
  }
  visit(node)
  return found
}

function typeNamed(node: Node): string | null {
  if (isTypeReferenceNode(node) && isIdentifier(node.typeName)) return node.typeName.text
  // What an interface extends.
  if (!isExpressionWithTypeArguments(node) || !isIdentifier(node.expression)) return null
  return node.expression.text
}

/** The declarations of a name that a file declares or imports from another one; none for any other name. */
function ownDeclarations(
  name: string,
  path: string,
  files: ReadonlyMap<string, ParsedFile>,
): Declaration[] {
  const { ast } = fileAt(path, files)
  const isOwn = ast.statements.some((statement) => declaredNames(statement).includes(name))
  const from = ast.statements
    .map((statement) => sourceOf(statement, name))
    .filter((source) => source !== null)
  const isImported = from.some(({ module }) => files.has(target(path, module)))
  return isOwn || isImported ? declarationsOf(name, path, files) : []
}

/** The module that a statement imports a name from, and its name there. */
function sourceOf(statement: Statement, name: string): { module: Node; name: string } | null {
  if (isExportDeclaration(statement) || isImportDeclaration(statement)) {
    const list = isExportDeclaration(statement)
      ? statement.exportClause
      : statement.importClause?.namedBindings
    const { moduleSpecifier: module } = statement
    if (list === undefined || module === undefined) return null
    if (!isNamedExports(list) && !isNamedImports(list)) return null
    for (const element of list.elements) {
      if (element.name.text !== name) continue
      return { module, name: (element.propertyName ?? element.name).text }
    }
  }
  return null
}

function declaredNames(statement: Statement): string[] {
  if (isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      'text' in name ? [name.text] : [],
    )
  }
  const isNamed =
    isClassDeclaration(statement) ||
    isFunctionDeclaration(statement) ||
    isInterfaceDeclaration(statement) ||
    isTypeAliasDeclaration(statement)
  return isNamed && statement.name !== undefined ? [statement.name.text] : []
}

function fileAt(path: string, files: ReadonlyMap<string, ParsedFile>): ParsedFile {
  const file = files.get(path)
  if (file === undefined) throw new Error(`there is no ${path}`)
  return file
}

function target(path: string, specifier: Node): string {
  if (!isStringLiteral(specifier)) throw new Error(`${path} imports from no plain text`)
  return posix.join(posix.dirname(path), specifier.text)
}
