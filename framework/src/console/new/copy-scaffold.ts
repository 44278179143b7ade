import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ConfigurationError } from '../../base/errors.ts'
import { useOwnName } from './use-own-name.ts'

/**
 * Copies the scaffold of the package, or in the framework's own repository the demo, from which the
 * scaffold is built.
 * @throws ConfigurationError if neither exists.
 */
export function copyScaffold(packageFolder: string, to: string, name: string): void {
  const from = [join(packageFolder, 'scaffold'), join(packageFolder, '..', 'demo')]
  // In the repository, a scaffold next to the sources may be outdated.
  const sources = existsSync(join(packageFolder, 'src')) ? from.toReversed() : from
  const scaffold = sources.find((folder) => existsSync(join(folder, 'project.ts')))
  if (scaffold === undefined) {
    throw new ConfigurationError(
      'E_NEW',
      `this installation of the framework has no scaffold in ${from[0]}; install it again`,
    )
  }
  cpSync(scaffold, to, {
    recursive: true,
    filter: (path) => path === scaffold || isCopied(basename(path)),
  })
  // npm leaves .gitignore files out of a package.
  if (existsSync(join(to, 'gitignore'))) renameSync(join(to, 'gitignore'), join(to, '.gitignore'))
  useOwnName(to, name)
  rewrite(join(to, 'project.ts'), /name: '[^']*'/, `name: '${name}'`)
  rewrite(join(to, 'README.md'), /^# .*/, `# ${name}`)
  rmSync(join(to, 'tsconfig.json'), { force: true })
}

function isCopied(name: string): boolean {
  if (name === '.env.example') return true
  if (name === '.env' || name.startsWith('.env.') || name.endsWith('.log')) return false
  return !['node_modules', 'storage', 'dist', 'vendor', 'package-lock.json'].includes(name)
}

function rewrite(file: string, pattern: RegExp, replacement: string): void {
  if (!existsSync(file)) return
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(pattern, () => replacement),
  )
}
