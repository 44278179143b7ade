import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

const framework = import.meta.dirname
const demo = join(framework, '..', 'demo')

/**
 * Writes `dist/` (JavaScript, declarations, source maps that hold their sources) and `scaffold/`
 * (what `framework new` copies) into `folder`. Nothing there changes when the compiler complains.
 * @throws when the compiler finds an error; what it printed went to this terminal.
 */
export function build(folder: string = framework): void {
  // Beside dist/, so that the paths inside the source maps are the same wherever it ends up.
  const compiled = join(framework, `.dist-${process.pid}`)
  try {
    compile(compiled)
    cpSync(join(framework, 'src', commonPasswords), join(compiled, commonPasswords))
    replaceFolder(compiled, join(folder, 'dist'))
    copyScaffold(join(folder, 'scaffold'))
  } finally {
    rmSync(compiled, { recursive: true, force: true })
  }
}

/** The one source that is not TypeScript; as text in a module it would be shipped twice, with its map. */
const commonPasswords = join('accounts', 'passwords', 'common-passwords.br')

/** Whether a file or folder of the demo with this name belongs to what `framework new` copies. */
export function belongsToScaffold(name: string): boolean {
  if (name === '.env.example') return true
  if (name === '.env' || name.startsWith('.env.')) return false
  return (
    !['node_modules', 'storage', 'dist', 'package-lock.json'].includes(name) &&
    !name.endsWith('.log')
  )
}

function compile(outDir: string): void {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
  const tsc = join(typescript, 'bin', 'tsc')
  const project = join(framework, 'tsconfig.build.json')
  const { status } = spawnSync(process.execPath, [tsc, '--project', project, '--outDir', outDir], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) throw new Error('the compiler found errors (above); nothing was built')
}

function replaceFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
}

function copyScaffold(to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(demo, to, {
    recursive: true,
    filter: (source) => source === demo || belongsToScaffold(basename(source)),
  })
  // npm leaves every .gitignore out of a package; `framework new` gives the name back.
  const ignored = join(to, '.gitignore')
  if (existsSync(ignored)) renameSync(ignored, join(to, 'gitignore'))
}

if (import.meta.main) {
  build()
  console.log('Built framework/dist and framework/scaffold')
}
