import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFunctionDeclaration } from 'typescript/unstable/ast'
import { parseTree } from '../parse-tree.ts'
import type { ParsedFile } from '../parse-tree.ts'
import { exportsOf, namedTypes } from './declarations.ts'
import type { Declaration, Exported } from './declarations.ts'
import { describe } from './describe.ts'
import type { Description } from './describe.ts'

/** The pages of the reference by file name: one per subpath, generated from the sources. */
export function referencePages(framework: string): Map<string, string> {
  const files = new Map(parseTree(join(framework, 'src')).map((file) => [file.path, file]))
  const barrels = [...files.keys()].filter((path) => path.startsWith('public/'))
  const exported = new Set(barrels.flatMap((path) => exportsOf(path, files).flatMap(nodesOf)))
  return new Map(barrels.flatMap((path) => pageOf(path, files, exported)))
}

function pageOf(
  path: string,
  files: ReadonlyMap<string, ParsedFile>,
  known: ReadonlySet<Declaration['node']>,
): [string, string][] {
  const stem = path.slice('public/'.length, -'.ts'.length)
  const subpath = stem === 'framework' ? stem : `framework/${stem}`
  const exported = exportsOf(path, files).toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  if (exported.length === 0) return []
  const sections = exported.flatMap((one) => sectionOf(one, ''))
  const options = optionsOf(exported, files, known)
  if (options.length > 0)
    sections.push(optionsHead, ...options.flatMap((one) => sectionOf(one, '')))
  const head = `# \`${subpath}\`\n\nMade from the sources by \`npm run reference\`; [the guides](../README.md#guides) say how things are used.`
  return [[`${stem}.md`, `${[head, ...sections].join('\n\n')}\n`]]
}

const optionsHead = `# Options

What the names above take. These have no name to import: TypeScript knows them where they are used.`

/** The options that exported names take, and the options in them, that no subpath exports. */
function optionsOf(
  exported: readonly Exported[],
  files: ReadonlyMap<string, ParsedFile>,
  known: ReadonlySet<Declaration['node']>,
): Exported[] {
  const options = new Map<string, readonly Declaration[]>()
  const waiting = exported.flatMap(declarationsIn)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [name, declarations] of namedTypes(next, files)) {
      if (!name.endsWith('Options') || options.has(name)) continue
      if (declarations.some(({ node }) => known.has(node))) continue
      options.set(name, declarations)
      waiting.push(...declarations)
    }
  }
  return [...options]
    .map(([name, declarations]) => ({ name, declarations }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

function declarationsIn(exported: Exported): readonly Declaration[] {
  return 'members' in exported ? exported.members.flatMap(declarationsIn) : exported.declarations
}

function nodesOf(exported: Exported): Declaration['node'][] {
  return declarationsIn(exported).map(({ node }) => node)
}

function sectionOf(exported: Exported, namespace: string): string[] {
  const name = namespace + exported.name
  if ('members' in exported) {
    const inner = exported.members.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    return inner.flatMap((member) => sectionOf(member, `${name}.`))
  }
  const descriptions = exported.declarations.filter(isOffered).map(describe)
  const kinds = new Set(descriptions.map(({ kind }) => kind))
  return [`## \`${name}\` (${[...kinds].join(', ')})`, ...descriptions.flatMap(partsOf)]
}

// Callers do not see the implementation signature of an overloaded function.
function isOffered({ node }: Declaration, _at: number, all: readonly Declaration[]): boolean {
  return all.length === 1 || !isFunctionDeclaration(node) || node.body === undefined
}

function partsOf({ kind, signature, meaning, members }: Description): string[] {
  const obvious = kind === 'interface' || signature === '' || signature.startsWith('const ')
  const code = obvious && !/ extends |<|:/.test(signature) ? [] : [`\`\`\`\n${signature}\n\`\`\``]
  const rows = members.map(
    (member) => `| \`${cell(member.signature)}\` | ${cell(member.meaning)} |`,
  )
  const table = rows.length === 0 ? [] : [['| Member | |', '|---|---|', ...rows].join('\n')]
  return [...(meaning === '' ? [] : [meaning]), ...code, ...table]
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

/** Writes the pages and removes obsolete ones. */
function writeReference(framework: string, folder: string): void {
  const pages = referencePages(framework)
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name))
  for (const [name, text] of pages) writeFileSync(join(folder, name), text)
}

if (import.meta.main) {
  const framework = join(import.meta.dirname, '..', '..', '..')
  writeReference(framework, join(framework, '..', 'docs', 'reference'))
}
