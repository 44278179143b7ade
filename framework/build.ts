import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { writeEjectSources } from './eject-sources.ts'

const framework = import.meta.dirname

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
    for (const path of otherSources) {
      cpSync(join(framework, 'src', path), join(compiled, path), { recursive: true })
    }
    replaceFolder(compiled, join(folder, 'dist'))
    for (const [name, source] of Object.entries(scaffolds)) {
      copyScaffold(source, join(folder, 'scaffold', name))
    }
    writeEjectSources(join(folder, 'scaffold', 'accounts'))
  } finally {
    rmSync(compiled, { recursive: true, force: true })
  }
}

/** What is not TypeScript; as text in a module it would be shipped twice, with its map. */
const otherSources = [
  // For each module Node reads the fields of its package.json anew; that of the package has all exports.
  'package.json',
  join('accounts', 'passwords', 'common-passwords.br'),
  join('accounts', 'passwords', 'common-password-parts.txt'),
  join('accounts', 'module', 'messages'),
  join('accounts', 'module', 'views'),
  join('accounts', 'module', 'public'),
  join('devtools', 'inspector', 'views'),
  join('devtools', 'mail-preview', 'views'),
  join('devtools', 'metrics-page', 'views'),
  join('devtools', 'profiles', 'views'),
  join('errors', 'page', 'developer.css'),
  join('http', 'messages'),
  join('inbox', 'views'),
  join('openapi', 'views'),
]

/** What `framework new` copies, by the name of the starter. */
const scaffolds = {
  auth: join(framework, '..', 'starters', 'auth'),
  minimal: join(framework, '..', 'starters', 'minimal'),
  full: join(framework, '..', 'demo'),
}

/** Whether a file or folder of a starter with this name belongs to what `framework new` copies. */
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

function copyScaffold(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, {
    recursive: true,
    filter: (source) => source === from || belongsToScaffold(basename(source)),
  })
  // npm leaves every .gitignore out of a package; `framework new` gives the name back.
  const ignored = join(to, '.gitignore')
  if (existsSync(ignored)) renameSync(ignored, join(to, 'gitignore'))
}

if (import.meta.main) {
  build()
  console.log('Built framework/dist and framework/scaffold')
}
