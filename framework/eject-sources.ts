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
    if (file.endsWith('.test.ts')) continue
    const text = readFileSync(join(module, file), 'utf8')
    const path = join(to, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(
      path,
      text.replaceAll(importLine, (line, type, names, from) => {
        const target = join(dirname(join(module, file)), from)
        if (target.startsWith(`${module}/`)) return line
        return publicImports(relative(src, target), { type: type ?? '', names, paths, problems })
      }),
    )
  }
  if (problems.length > 0)
    throw new Error(`not public, but used by accounts: ${problems.join(', ')}`)
}

const importLine = /^import (type )?\{([^}]*)\} from '(\.[^']+)'\n/gm

/** The import paths of public names, by file and name. */
function publicPaths(): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  const folder = join(src, 'public')
  for (const barrel of globSync('*.ts', { cwd: folder })) {
    const name = barrel.replace(/\.ts$/, '')
    const path = name === 'framework' ? name : `framework/${name}`
    const text = readFileSync(join(folder, barrel), 'utf8')
    for (const [, names = '', from = ''] of text.matchAll(
      /^export (?:type )?\{([^}]*)\} from '([^']+)'/gm,
    )) {
      const file = relative(src, join(folder, from))
      for (const one of listOf(names)) paths.set(`${file} ${one.replace(/^type /, '')}`, path)
    }
  }
  return paths
}

interface Imported {
  readonly type: string
  readonly names: string
  readonly paths: ReadonlyMap<string, string>
  readonly problems: string[]
}

function publicImports(file: string, { type, names, paths, problems }: Imported): string {
  const byPath = Map.groupBy(listOf(names), (name) => {
    const path = paths.get(`${file} ${name.replace(/^type /, '')}`)
    if (path === undefined) problems.push(`${name} of ${file}`)
    return path ?? file
  })
  return [...byPath]
    .map(([path, some]) => `import ${type}{ ${some.join(', ')} } from '${path}'\n`)
    .join('')
}

function listOf(names: string): readonly string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
