import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Entrant, Labels, startFile } from './entrants.ts'

/** How much somebody has to write and to install. */
export interface ApplicationSize {
  /** Lines of code, without empty lines and comments; views are the same for all and do not count. */
  readonly lines: number
  /** Packages that are installed for it, its own and theirs. */
  readonly packages: number
}

const servers = `${import.meta.dirname}/servers`
const root = `${import.meta.dirname}/../..`

/** What belongs to the harness. */
const uncounted: ReadonlySet<string> = new Set(['contestant.ts'])

/** Ours loads the drivers itself, if they are there. */
const drivers = ['pg', 'mariadb', 'ioredis']

/** Follows the imports of a server from the file that starts it. */
export async function applicationSize(entrant: Entrant): Promise<ApplicationSize> {
  const files = new Set<string>()
  const packages = new Set<string>()
  let lines = 0
  const follow = async (path: string): Promise<void> => {
    if (files.has(path)) return
    files.add(path)
    const source = await readFile(path, 'utf8')
    if (!uncounted.has(path.slice(servers.length + 1))) lines += linesOf(source)
    for (const [, name = ''] of source.matchAll(/\b(?:from |import\(|import )'([^']+)'/g)) {
      if (name.startsWith('node:')) continue
      if (!name.startsWith('.')) packages.add(packageOf(name))
      else if (!name.includes('framework/dist/')) await follow(join(dirname(path), name))
    }
  }
  await follow(startFile(servers, entrant, 'ts'))
  if (entrant.label === Labels.Ours) {
    const lock = await readLock(`${root}/package-lock.json`)
    return { lines, packages: installed(lock, ['framework', ...drivers, ...packages]).size }
  }
  const lock = await readLock(`${root}/benchmarks/package-lock.json`)
  return { lines, packages: installed(lock, packages).size }
}

function linesOf(source: string): number {
  const code = source.replaceAll(/^\s*\/\*[\s\S]*?\*\//gm, '')
  return code.split('\n').filter((line) => !/^\s*(?:\/\/.*)?$/.test(line)).length
}

function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}

/** A package in a lock file, by its folder. */
interface Locked {
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

type Lock = Readonly<Record<string, Locked>>

async function readLock(path: string): Promise<Lock> {
  const { packages }: { readonly packages: Lock } = JSON.parse(await readFile(path, 'utf8'))
  return packages
}

/** The folders of packages with these names, and of everything that they depend on. */
function installed(lock: Lock, names: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (name: string, from: string): void => {
    const folder = folderOf(lock, name, from)
    if (folder === null || found.has(folder)) return
    found.add(folder)
    const locked = lock[folder] ?? {}
    const inside = locked.link === true ? (locked.resolved ?? folder) : folder
    const {
      dependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = lock[inside] ?? {}
    const peers = Object.keys(peerDependencies).filter(
      (peer) => peerDependenciesMeta[peer]?.optional !== true,
    )
    for (const needed of [...Object.keys(dependencies), ...peers]) add(needed, inside)
  }
  for (const name of names) add(name, '')
  return found
}

/** Where Node would find a package that is imported in a folder. */
function folderOf(lock: Lock, name: string, from: string): string | null {
  for (let folder = from; folder !== ''; folder = folder.replace(lastPackage, '')) {
    const candidate = `${folder}/node_modules/${name}`
    if (Object.hasOwn(lock, candidate)) return candidate
  }
  return Object.hasOwn(lock, `node_modules/${name}`) ? `node_modules/${name}` : null
}

const lastPackage = /(?:^|\/)(?:node_modules\/)?(?:@[^/]+\/)?[^/]+$/
