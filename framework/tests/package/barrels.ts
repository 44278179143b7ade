import { join } from 'node:path'
import {
  isExportDeclaration,
  isImportDeclaration,
  isNamedExports,
  isNamespaceExport,
} from 'typescript/unstable/ast'
import type { Statement } from 'typescript/unstable/ast'
import { parseTree, placeOf } from './parse-tree.ts'
import type { ParsedFile } from './parse-tree.ts'

/** The names exported by one subpath; `framework` itself is `src/public/framework.ts`. */
export interface Barrel {
  /** The import specifier: `framework`, `framework/http`. */
  readonly subpath: string
  readonly values: ReadonlySet<string>
  readonly types: ReadonlySet<string>
  /** Statements other than re-exports of names and bare imports. */
  readonly findings: readonly string[]
}

/** The barrels of the package in `folder`, by their subpath. */
export function readBarrels(folder: string): Map<string, Barrel> {
  const barrels = parseTree(join(folder, 'src', 'public')).map(readBarrel)
  return new Map(barrels.map((barrel) => [barrel.subpath, barrel]))
}

function readBarrel(file: ParsedFile): Barrel {
  const stem = file.path.slice(0, -'.ts'.length)
  const values = new Set<string>()
  const types = new Set<string>()
  const findings: string[] = []
  for (const statement of file.ast.statements) {
    const objection = collect(statement, values, types)
    if (objection !== null) findings.push(`public/${placeOf(file, statement)} ${objection}`)
  }
  const subpath = stem === 'framework' ? 'framework' : `framework/${stem}`
  return { subpath, values, types, findings }
}

function collect(statement: Statement, values: Set<string>, types: Set<string>): string | null {
  // A bare import loads a file for its side effects, as `framework/boot` does.
  if (isImportDeclaration(statement) && statement.importClause === undefined) return null
  if (!isExportDeclaration(statement) || statement.moduleSpecifier === undefined) {
    return 'is no export from another file: a barrel holds nothing else'
  }
  const { exportClause, isTypeOnly } = statement
  if (exportClause === undefined) return 'exports everything: name each export'
  if (isNamespaceExport(exportClause)) {
    ;(isTypeOnly ? types : values).add(exportClause.name.text)
  } else if (isNamedExports(exportClause)) {
    const { elements } = exportClause
    if (!isTypeOnly && elements.length > 0 && elements.every((element) => element.isTypeOnly)) {
      return 'loads a file for its types alone: write "export type"'
    }
    for (const { name, isTypeOnly: ofType } of elements) {
      ;(isTypeOnly || ofType ? types : values).add(name.text)
    }
  }
  return null
}
