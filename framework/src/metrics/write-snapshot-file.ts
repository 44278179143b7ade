import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { explainUnwritable } from '../base/files/explain-unwritable.ts'
import { privateFile } from '../base/files/private-files.ts'
import { temporarySuffix } from './fleet-files.ts'

/**
 * Writes a file atomically and creates its folder if necessary.
 * @throws ConfigurationError E_UNWRITABLE when the folder cannot be written to.
 */
export async function writeSnapshotFile(path: string, text: string, mode = 0o666): Promise<void> {
  try {
    await write(path, text, mode)
  } catch (error) {
    throw explainSnapshotFolder(error, dirname(path))
  }
}

/** Explains an error from writing to the snapshot folder. */
export function explainSnapshotFolder(error: unknown, folder: string): unknown {
  return explainUnwritable(error, folder, 'set FRAMEWORK_OBSERVABILITY_DIR to another folder')
}

async function write(path: string, text: string, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const fresh = `${path}.${process.pid}-${crypto.randomUUID()}${temporarySuffix}`
  try {
    await writeFile(fresh, text, { flag: 'wx', mode })
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}

/**
 * Writes a private file atomically and synchronously, for a process that is exiting. Pending temporary files
 * of the same process are removed first, or a rename under way could replace this one.
 */
export function writeLastSnapshotFile(path: string, text: string): void {
  const folder = dirname(path)
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`${basename(path)}.`)) rmSync(join(folder, name), { force: true })
  }
  const fresh = `${path}.${process.pid}-last${temporarySuffix}`
  writeFileSync(fresh, text, { mode: privateFile })
  renameSync(fresh, path)
}
