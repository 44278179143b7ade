import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConfigurationError } from '../../base/errors.ts'

/**
 * Packs the running framework into a tarball in `to` and returns its file name. If it runs from its
 * sources, it is first built in a temporary folder.
 * @throws ConfigurationError with the output of npm or the build if it fails.
 */
export function packFramework(packageFolder: string, to: string): string {
  mkdirSync(to, { recursive: true })
  if (!import.meta.url.endsWith('.ts')) return pack(packageFolder, to)
  const built = mkdtempSync(join(tmpdir(), 'framework-pack-'))
  try {
    for (const part of ['package.json', 'bin']) {
      cpSync(join(packageFolder, part), join(built, part), { recursive: true })
    }
    const build = pathToFileURL(join(packageFolder, 'build.ts')).href
    const script = `import { build } from ${JSON.stringify(build)}\nbuild(${JSON.stringify(built)})`
    run(process.execPath, ['--input-type=module', '--eval', script], packageFolder)
    return pack(built, to)
  } finally {
    rmSync(built, { recursive: true, force: true })
  }
}

function pack(folder: string, to: string): string {
  const words = ['pack', folder, '--pack-destination', to, '--ignore-scripts', '--silent']
  // Inside an npm script this is its npm, which may not be on the PATH.
  const npm = process.env['npm_execpath'] ?? ''
  if (npm.endsWith('npm-cli.js')) run(process.execPath, [npm, ...words], to)
  else run('npm', words, to)
  const tarball = readdirSync(to).find((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new ConfigurationError('E_NEW', 'npm pack created no package')
  return tarball
}

function run(command: string, args: readonly string[], cwd: string): void {
  try {
    execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' })
  } catch (error) {
    throw new ConfigurationError('E_NEW', `${command} failed: ${reason(error)}`, { cause: error })
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ENOENT') return 'the command is not on the PATH'
  const output = ['stdout', 'stderr'].map((name) => String(Reflect.get(error, name) ?? '').trim())
  return output.filter((text) => text !== '').join('\n') || error.message
}
