import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { ConfigurationError } from '../../base/errors.ts'

const textFile = /\.(?:[cm]?[jt]s|json|html|css|svg|md|yml|example)$|^[^.]+$|^\./

/**
 * Copies a scaffold of the package, or in the framework's own repository the project it is built from.
 * @throws ConfigurationError if neither exists.
 */
export function copyScaffold(
  packageFolder: string,
  { packed, source }: { readonly packed: string; readonly source: string },
  { to, name }: { readonly to: string; readonly name: string },
): void {
  const from = [packed, source].map((folder) => join(packageFolder, folder))
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
  rewrite(join(to, 'project.ts'), (text) => text.replace(/name: '[^']*'/, `name: '${name}'`))
  rewrite(join(to, 'README.md'), (text) => text.replace(/^# .*/, `# ${name}`))
  rmSync(join(to, 'tsconfig.json'), { force: true })
}

function isCopied(name: string): boolean {
  if (name === '.env.example') return true
  if (name === '.env' || name.startsWith('.env.') || name.endsWith('.log')) return false
  return !['node_modules', 'storage', 'dist', 'vendor', 'package-lock.json'].includes(name)
}

/** Renames a copy of the scaffold: in its files, and files of which the name says "demo". */
function useOwnName(folder: string, name: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name.replaceAll('demo', 'app'))
    if (entry.name.includes('demo')) renameSync(join(folder, entry.name), path)
    if (entry.isDirectory()) useOwnName(path, name)
    else if (entry.isFile() && textFile.test(entry.name))
      rewrite(path, (text) => inOwnWords(text, name))
  }
}

/** A text of a scaffold in the words of a project: the scaffold is a demo or a starter, and says so everywhere. */
export function inOwnWords(text: string, name: string): string {
  return (
    text
      // First, since the name of the project may have these words, too.
      .split(/Framework demo|\bStarter\b/)
      .map((part) => part.replaceAll('Demo', 'App').replaceAll(/demo|\bstarter\b/g, 'app'))
      .join(titleOf(name))
      // The image and its volume.
      .replaceAll(/^.*\bdocker (?:build|run) .*$/gm, (line) =>
        line.replaceAll(/(?<=--tag )app\b|\bapp(?=-storage:)|(?<= )app(?= node |$)/g, name),
      )
  )
}

/** The title of a site, from the name of its project: `corner-shop` is "Corner shop". */
export function titleOf(name: string): string {
  const words = name.split(/[._-]+/).filter((word) => word !== '')
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Changes the text of a file that may not exist. */
export function rewrite(file: string, changed: (text: string) => string): void {
  if (!existsSync(file)) return
  const text = readFileSync(file, 'utf8')
  const own = changed(text)
  if (own !== text) writeFileSync(file, own)
}
