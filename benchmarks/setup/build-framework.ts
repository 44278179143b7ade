import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { runNpm } from './run-npm.ts'

const rootFolder = `${import.meta.dirname}/../..`

/** Builds `framework/dist` when it is missing or older than a source file. */
export async function buildFramework(): Promise<void> {
  const built = await newest(`${rootFolder}/framework/dist`)
  const written = await newest(`${rootFolder}/framework/src`)
  if (built === 0 || built < written) await runNpm(['run', 'build'], rootFolder)
}

async function newest(folder: string): Promise<number> {
  if (!existsSync(folder)) return 0
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
  const times = files.map(async (file) => (await stat(`${file.parentPath}/${file.name}`)).mtimeMs)
  return Math.max(0, ...(await Promise.all(times)))
}
