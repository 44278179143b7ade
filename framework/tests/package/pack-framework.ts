import { cp, mkdtemp, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../../build.ts'
import { npm } from './npm.ts'

const framework = join(import.meta.dirname, '..', '..')
const byHand = ['package.json', 'bin', 'README.md', 'LICENSE']

/**
 * Builds the package afresh and packs it into `folder`; answers the path of the tarball. Nothing
 * in the checkout changes, so tests that pack may run side by side and never see an old build.
 */
export async function packFramework(folder: string): Promise<string> {
  const stage = await mkdtemp(join(tmpdir(), 'framework-stage-'))
  try {
    for (const name of byHand.filter((entry) => existsSync(join(framework, entry)))) {
      await cp(join(framework, name), join(stage, name), { recursive: true })
    }
    build(stage)
    const [packed] = JSON.parse(await npm(stage, 'pack', '--json', '--pack-destination', folder))
    return join(folder, packed.filename)
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}
