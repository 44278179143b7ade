import { hash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../base/is-alive.ts'

/** Of uploads of this machine: containers may share a temporary folder, but not process ids. */
const prefix = `framework-upload-${hash('sha256', hostname()).slice(0, 8)}-`

/** The folders in use by this process. */
const inUse = new Set<string>()

/** Makes a private folder for the files of one form. */
export async function makeUploadFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
  inUse.add(folder)
  return folder
}

/** Removes a folder and what is left in it. Never fails. */
export async function removeUploadFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {})
  inUse.delete(folder)
}

/**
 * Removes the folders of processes that were killed before they could. Never fails.
 * @param isDead Whether a process has ended; by default the system is asked.
 */
export async function removeAbandonedUploads(
  isDead: (pid: number) => boolean = hasEnded,
): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  const abandoned = names.filter((name) => {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0
    return pid > 0 && isDead(pid) && !inUse.has(join(tmpdir(), name))
  })
  for (const name of abandoned) await removeUploadFolder(join(tmpdir(), name))
}

// A folder of this very id that is not in use was left by an earlier process: in a container every
// process may get the same id.
function hasEnded(pid: number): boolean {
  return pid === process.pid || !isAlive(pid)
}
