import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const src = join(import.meta.dirname, 'src')
const module = join(src, 'accounts', 'module')

/**
 * Writes the code of accounts as a project would have it, for `framework eject accounts`: what it imports of other
 * rooms, it imports from the package by its public names.
 * @throws Error that lists what is not public.
 */
export function writeEjectSources(to: string): void {
  const paths = publicPaths()
  const problems: string[] = []
  for (const file of globSync('**/*.ts', { cwd: module })) {
    if (file.endsWith('.test.ts') || stays.has(file)) continue
    const path = join(to, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, withPublicImports(join(module, file), paths, problems))
  }
  if (problems.length > 0)
    throw new Error(`not public, but used by accounts: ${problems.join(', ')}`)
}

/** What knows which tables and columns a database has: two versions of that would be one too many. */
const stays: ReadonlySet<string> = new Set(['account-fields.ts', 'account-tables.ts'])

const importLine = /^import (type )?\{([^}]*)\} from '(\.[^']+)'\n/gm

/** The text of a file, its imports of other rooms as one line for each import path of the package. */
function withPublicImports(
  file: string,
  paths: ReadonlyMap<string, string>,
  problems: string[],
): string {
  const imported = new Map<string, Set<string>>()
  const kept = readFileSync(file, 'utf8').replaceAll(importLine, (line, type, names, from) => {
    const target = join(dirname(file), from)
    const own = relative(module, target)
    if (!own.startsWith('..') && !stays.has(own)) return line
    for (const name of listOf(names)) {
      const key = `${relative(src, target)} ${name.replace(/^type /, '')}`
      const path = paths.get(key)
      if (path === undefined) problems.push(key)
      const line = `import ${type ?? ''}{ … } from '${path}'`
      imported.set(line, (imported.get(line) ?? new Set()).add(name))
    }
    return ''
  })
  const lines = [...imported].map(([line, names]) => importOf(line, [...names].toSorted()))
  const external = /^(?:import .* from 'node:.*\n)*/.exec(kept)?.[0] ?? ''
  return `${external}${lines.toSorted(byPath).join('')}${kept.slice(external.length)}`
}

function importOf(line: string, names: readonly string[]): string {
  const short = `${line.replace('…', names.join(', '))}\n`
  if (short.length <= 101) return short
  return `${line.replace(' … ', `\n  ${names.join(',\n  ')},\n`)}\n`
}

function byPath(one: string, other: string): number {
  const [first, second] = [one, other].map((text) => text.replace(/^[^]* from /, ''))
  return first === second ? one.localeCompare(other) : (first ?? '') < (second ?? '') ? -1 : 1
}

/** The import paths of public names, by file and name. */
function publicPaths(): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  const folder = join(src, 'public')
  for (const barrel of globSync('*.ts', { cwd: folder }).toSorted()) {
    const name = barrel.replace(/\.ts$/, '')
    const path = name === 'framework' ? name : `framework/${name}`
    const text = readFileSync(join(folder, barrel), 'utf8')
    for (const [, names = '', from = ''] of text.matchAll(
      /^export (?:type )?\{([^}]*)\} from '([^']+)'/gm,
    )) {
      const file = relative(src, join(folder, from))
      for (const one of listOf(names)) {
        const key = `${file} ${one.replace(/^type /, '')}`
        // Some names are public in two places: the first one is theirs by subject.
        if (!paths.has(key)) paths.set(key, path)
      }
    }
  }
  return paths
}

function listOf(names: string): readonly string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
