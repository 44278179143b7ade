import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const benchmarksFolder = `${import.meta.dirname}/..`

/**
 * Compiles the product on NestJS into the folder of the built servers: it needs decorators, which Node's
 * type stripper leaves where they are, and the metadata of types that only a compiler adds.
 */
export async function buildNest(serversFolder: string): Promise<void> {
  const outDir = await mkdtemp(join(tmpdir(), 'framework-nest-'))
  try {
    const compiler = join(benchmarksFolder, '../node_modules/typescript/bin/tsc')
    const project = join(benchmarksFolder, 'product/servers/nest')
    const flags = ['--project', project, '--noEmit', 'false', '--outDir', outDir]
    await promisify(execFile)(process.execPath, [compiler, ...flags])
    // With what it imports, which stands beside it already.
    await cp(join(outDir, 'nest'), join(serversFolder, 'nest'), { recursive: true })
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}
