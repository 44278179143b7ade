import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { temporary } from './fleet-files.ts'

/** Writes a file whole or not at all, in a folder that is made if need be. */
export async function writeSnapshotFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const fresh = `${path}.${process.pid}-${crypto.randomUUID()}${temporary}`
  try {
    await writeFile(fresh, text, { flag: 'wx' })
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}
