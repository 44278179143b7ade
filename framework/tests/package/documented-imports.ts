import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type NamedImport = [module: string, name: string]

/** Imports of the package in a piece of code: the module and a name. */
export function importsIn({ code }: { readonly code: string }): NamedImport[] {
  const statements = code.matchAll(/import (?:type )?\{([^}]+)\} from '(framework(?:\/\w+)?)'/g)
  return [...statements].flatMap(([, names = '', module = '']) =>
    names
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/ as \w+$/, ''),
      )
      .filter((name) => name !== '')
      .map((name): [string, string] => [module, name]),
  )
}

/** The source files of the benchmarks. They import the built package, here under its public names. */
export function benchmarkSources(root: string): { readonly file: string; readonly code: string }[] {
  const files = globSync('benchmarks/*/**/*.ts', { cwd: root }).filter(
    (file) => !/\/(?:node_modules|dist)\//.test(file),
  )
  return files.map((file) => ({
    file,
    code: readFileSync(join(root, file), 'utf8').replaceAll(
      /(?:\.\.\/)+framework\/dist\/public\/(\w+)\.js/g,
      (_, name: string) => (name === 'framework' ? name : `framework/${name}`),
    ),
  }))
}
