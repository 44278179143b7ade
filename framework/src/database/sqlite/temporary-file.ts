import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file in a private folder. */
export interface TemporaryFile {
  readonly path: string
  /** Removes the file and its folder. */
  readonly remove: () => Promise<void>
}

const folders = new Set<string>()

/** Creates a folder for a file; it is removed when the process exits, if not before. */
export async function temporaryFile(name: string): Promise<TemporaryFile> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-'))
  if (folders.size === 0) process.on('exit', removeAll)
  folders.add(folder)
  return { path: join(folder, name), remove: () => remove(folder) }
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  folders.delete(folder)
  if (folders.size === 0) process.off('exit', removeAll)
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
