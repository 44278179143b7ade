import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { testPrograms } from '../support/test-programs.ts'
import type { TestProgram } from '../support/test-programs.ts'

const support = 'framework/tests/support'

/** The programs that test files under `root` need: those of the modules they import. */
export function neededPrograms(root: string, files: readonly string[]): readonly TestProgram[] {
  const sources = reached(root, files)
  return testPrograms.filter(({ modules, variable, startOwn }) => {
    if (!modules.some((module) => sources.has(posix.join(support, module)))) return false
    const isGiven = (process.env[variable] ?? '') !== ''
    return !isGiven || (startOwn !== undefined && isCalledByTests(sources, startOwn))
  })
}

function isCalledByTests(sources: ReadonlyMap<string, string>, name: string): boolean {
  return sources
    .entries()
    .some(([path, source]) => !path.startsWith(support) && source.includes(name))
}

/** The files and all test files that they import, with their text. */
function reached(root: string, files: readonly string[]): ReadonlyMap<string, string> {
  const sources = new Map<string, string>()
  const open = [...files]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (sources.has(path) || !existsSync(join(root, path))) continue
    const source = readFileSync(join(root, path), 'utf8')
    sources.set(path, source)
    for (const [, specifier = ''] of source.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
      const target = posix.join(posix.dirname(path), specifier)
      // The code under test runs none of these programs by itself.
      if (target.includes('tests/')) open.push(target)
    }
  }
  return sources
}
