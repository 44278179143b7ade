import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { builtInViews } from '../../src/accounts/module/accounts-module.ts'

/**
 * Finds what a part that was left out may leave behind: blank lines, names that are declared
 * and never used, orphaned templates and styles.
 */
export function leftovers(app: string): string[] {
  const files = textsOf(app)
  const all = [...files.values()].join('\n')
  return [...files].flatMap(([path, text]) =>
    [
      blankLines(path, text),
      unusedNames(path, text, all),
      unusedTemplate(path, all),
      unusedStyles(path, text, files),
    ].flat(),
  )
}

function textsOf(app: string): ReadonlyMap<string, string> {
  const patterns = ['**/*', '**/.*', '**/.*/**/*']
  const files = globSync(patterns, { cwd: app, withFileTypes: true }).filter(
    (entry) =>
      entry.isFile() && /\.(ts|js|json|html|css|md|yml|example)$|^[^.]+$|^\./.test(entry.name),
  )
  const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(app.length + 1))
  const own = [...new Set(paths)].filter((path) => !path.startsWith('vendor/')).toSorted()
  return new Map(own.map((path) => [path, readFileSync(join(app, path), 'utf8')]))
}

const opens = /(?:[{([]|[{([] %>)$/
const closes = /^\s*(?:<% )?[})\]]/

function blankLines(path: string, text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  // The blank lines of a mail as text are part of it.
  const isCode = /(?<!\.text\.template)\.(ts|js|css|json|html)$/.test(path)
  const found = lines.flatMap((line, at): string[] => {
    const place = `${path}:${at + 1}`
    // In a mail this starts the signature.
    if (line === '-- ') return []
    if (line !== '' && line.trimEnd() !== line) return [`${place} ends with blanks`]
    if (line !== '') return []
    const [before, after] = [lines[at - 1], lines[at + 1]]
    if (before === undefined) return [`${place} begins with a blank line`]
    if (after === undefined) return []
    if (after === '') return [`${place} is blank, and so is the next line`]
    if (isCode && opens.test(before)) return [`${place} is blank after an opening bracket`]
    if (isCode && closes.test(after)) return [`${place} is blank before a closing bracket`]
    return []
  })
  return text.endsWith('\n') ? found : [...found, `${path} does not end with a line`]
}

const declared = /^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm

/** Exports that the framework calls by name in modules it finds by folder. */
const called: Readonly<Record<string, readonly string[]>> = {
  migrations: ['up', 'down'],
  seeds: ['seed', 'environments'],
}

// The compiler finds unused locals; an export is used when another file names it.
function unusedNames(path: string, text: string, all: string): string[] {
  if (!path.endsWith('.ts')) return []
  const known = called[path.split('/')[0] ?? ''] ?? []
  return [...text.matchAll(declared)].flatMap(([, name = '']) => {
    if (known.includes(name)) return []
    const uses = all.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0
    return uses > 1 ? [] : [`${path} exports ${name}, which nothing names`]
  })
}

/** Pages that the framework shows by itself. */
const shownByItself = /^views\/errors\//

function unusedTemplate(path: string, all: string): string[] {
  if (!path.endsWith('.template.html') || shownByItself.test(path)) return []
  const name = basename(path).replace(/(?:\.text)?\.template\.html$/, '')
  return all.includes(`${name}'`) || all.includes(`${name}"`) ? [] : [`${path} is shown by nothing`]
}

/** For pages that people write themselves, in a project that has no list yet. */
const forOwnPages = 'public/lists.css'

function unusedStyles(path: string, text: string, files: ReadonlyMap<string, string>): string[] {
  if (!path.endsWith('.css') || path === forOwnPages) return []
  const users = [...files].filter(([other]) => /\.(html|ts|js)$/.test(other))
  const pages = [...users, ...textsOf(builtInViews)].map(([, page]) => page).join('\n')
  const classes = new Set(
    [...text.matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/g)].map(([, name = '']) => name),
  )
  return [...classes]
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(pages))
    .map((name) => `${path} has styles for .${name}, which no page has`)
}
