import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { madeOnce } from '../support/made-once.ts'
import { npm } from './npm.ts'

const repository = join(import.meta.dirname, '..', '..', '..')
const leftOut = new Set(['node_modules', 'dist', 'scaffold'])

/** The path of the framework as a tarball, packed once for all tests of a run. */
export async function packedFramework(): Promise<string> {
  const folder = await madeOnce('packed', packInto)
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
  return join(folder, tarball ?? '')
}

/**
 * Packs a clean copy of the checkout into `folder`, as `npm pack` alone does. The checkout itself does not
 * change, so that tests beside it never see an old build.
 */
async function packInto(folder: string): Promise<void> {
  const stage = await mkdtemp(join(tmpdir(), 'framework-stage-'))
  try {
    for (const name of ['package.json', 'tsconfig.json', 'framework', 'demo', 'starters']) {
      const from = join(repository, name)
      await cp(from, join(stage, name), { recursive: true, filter: belongs })
    }
    await symlink(join(repository, 'node_modules'), join(stage, 'node_modules'))
    await npm(stage, 'pack', './framework', '--pack-destination', folder)
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

function belongs(path: string): boolean {
  const inside = relative(repository, path).split('/')
  // The tests of the demo, the starters and `make:` are part of a new project, what those store is not.
  const isProject = inside[0] === 'demo' || inside[0] === 'starters' || inside[1] === 'make'
  if (basename(path) === (isProject ? 'storage' : 'tests')) return false
  return !leftOut.has(basename(path)) && !basename(path).startsWith('.dist-')
}
