import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { explainUnwritable } from '../../base/files/explain-unwritable.ts'
import { temporary } from './fleet-files.ts'

/**
 * Writes a file whole or not at all, in a folder that is made if need be.
 * @throws ConfigurationError E_UNWRITABLE when the folder cannot be written to.
 */
export async function writeSnapshotFile(path: string, text: string): Promise<void> {
  try {
    await write(path, text)
  } catch (error) {
    throw explainSnapshotFolder(error, dirname(path))
  }
}

/** The error to throw in the place of one that came of writing into a folder of snapshots. */
export function explainSnapshotFolder(error: unknown, folder: string): unknown {
  return explainUnwritable(error, folder, 'name another folder in FRAMEWORK_OBSERVABILITY_DIR')
}

async function write(path: string, text: string): Promise<void> {
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

/**
 * Writes a file whole or not at all, before this returns: for a process that ends. What it is still
 * writing to that file is taken away first, else the system might move it onto this.
 */
export function writeLastSnapshotFile(path: string, text: string): void {
  const folder = dirname(path)
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`${basename(path)}.`)) rmSync(join(folder, name), { force: true })
  }
  const fresh = `${path}.${process.pid}-last${temporary}`
  writeFileSync(fresh, text)
  renameSync(fresh, path)
}
