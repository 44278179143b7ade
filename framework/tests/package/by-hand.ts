import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeIn, rowsOfTable } from './page-tables.ts'

/** The parts of a `package.json` or of an entry of `package-lock.json` that matter here. */
interface Dependent {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/**
 * Compares the page about libraries and our own code with the repository: the packages of the framework, all
 * of them and only them, how many an application gets, and the lines of our own code, within a tenth.
 */
export function checkByHand(repository: string): string[] {
  const page = readFileSync(join(repository, 'docs/decisions/0008-by-hand.md'), 'utf8')
  return [
    ...checkPackages(repository, page),
    ...rowsOfTable(page, 'What').flatMap(([what = '', where = '', lines = '']) => {
      const paths = codeIn(where)
      const missing = paths.filter((path) => !existsSync(join(repository, 'framework/src', path)))
      if (missing.length > 0) return missing.map((path) => `${what}: there is no ${path}`)
      const counted = paths.reduce((sum, path) => sum + linesIn(repository, path), 0)
      const told = Number(lines.replaceAll(',', ''))
      if (Math.abs(told - counted) <= counted / 10) return []
      return [`${what}: the page says ${lines} lines, there are ${counted}`]
    }),
  ]
}

function checkPackages(repository: string, page: string): string[] {
  const read = (name: string): string => readFileSync(join(repository, name), 'utf8')
  const manifest: Dependent = JSON.parse(read('framework/package.json'))
  const direct = Object.keys(manifest.dependencies ?? {})
  const used = [...direct, ...Object.keys(manifest.peerDependencies ?? {})]
  const listed = rowsOfTable(page, 'For').flatMap(([, cell = '']) =>
    // `Dicer` is a class; a part of a package, such as `eta/core`, stands for the package.
    codeIn(cell)
      .filter((name) => !/^[A-Z]/.test(name))
      .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? ''),
  )
  const { packages }: { packages: Readonly<Record<string, Dependent>> } = JSON.parse(
    read('package-lock.json'),
  )
  const installed = new Set<string>()
  for (const name of direct) install(name, packages, installed)
  const [, told] = /framework gets (\d+) packages/.exec(page) ?? []
  return [
    ...used
      .filter((name) => !listed.includes(name))
      .map((name) => `the page does not list ${name}`),
    ...listed
      .filter((name) => !used.includes(name))
      .map((name) => `the framework does not use ${name}`),
    ...(Number(told) === installed.size
      ? []
      : [`the page says ${told} packages, there are ${installed.size}`]),
  ]
}

function install(
  name: string,
  packages: Readonly<Record<string, Dependent>>,
  installed: Set<string>,
): void {
  if (installed.has(name)) return
  installed.add(name)
  const { dependencies = {} } = packages[`node_modules/${name}`] ?? {}
  for (const next of Object.keys(dependencies)) install(next, packages, installed)
}

function linesIn(repository: string, path: string): number {
  const src = join(repository, 'framework/src')
  return globSync(path.endsWith('.ts') ? path : `${path}/**/*.ts`, { cwd: src })
    .filter((file) => !file.endsWith('.test.ts'))
    .reduce((sum, file) => sum + readFileSync(join(src, file), 'utf8').split('\n').length - 1, 0)
}
