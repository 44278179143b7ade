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
  const fresh = `${path}.${process.pid}-${crypto.randomUUID()}${temporarySuffix}`
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(fresh, text, { flag: 'wx', mode })
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => null)
    throw explainSnapshotFolder(error, dirname(path))
  }
}

/** The JSON of a snapshot with more members than its metrics. */
export function withMembers(json: string, members: object): string {
  return `${json.slice(0, -'}\n'.length)},${JSON.stringify(members).slice(1)}\n`
}

/** Explains an error from writing to the snapshot folder. */
export function explainSnapshotFolder(error: unknown, folder: string): unknown {
  return explainUnwritable(error, folder, 'set FRAMEWORK_OBSERVABILITY_DIR to another folder')
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
  replaceFileSync(path, text)
}

/** Writes a private file atomically and synchronously. */
export function replaceFileSync(path: string, text: string): void {
  const fresh = `${path}.${process.pid}${temporarySuffix}`
  try {
    writeFileSync(fresh, text, { mode: privateFile })
    renameSync(fresh, path)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}
