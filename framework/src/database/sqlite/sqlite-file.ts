import { constants, rmSync } from 'node:fs'
import { access, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { unwritableReason } from '../../base/files/explain-unwritable.ts'
import {
  createPrivateFile,
  privateFile,
  privateFolder,
  tighten,
} from '../../base/files/private-files.ts'
import { DatabaseError } from '../database-error.ts'

/** A file that a database can be opened in. */
interface PreparedFile {
  readonly file: string
  /** Removes a temporary file. */
  readonly afterClose: () => Promise<void>
}

/**
 * Creates the folder of a file and keeps the file private; null for a temporary one.
 * @throws DatabaseError that says why the file cannot be used.
 */
export async function prepareFile(file: string | null): Promise<PreparedFile> {
  if (file === null) {
    const { path, remove } = await temporaryFile('database.sqlite')
    createPrivateFile(path)
    return { file: path, afterClose: remove }
  }
  // Absolute, since more connections are opened later, perhaps from another working directory.
  const path = resolve(file)
  const folder = dirname(path)
  try {
    await mkdir(folder, { recursive: true, mode: privateFolder })
    // SQLite keeps other files beside it, such as the write-ahead log.
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const reason = unwritableReason(error, folder) ?? `its folder cannot be created`
    throw new DatabaseError(
      'E_DATABASE',
      `the SQLite file ${path} cannot be opened: ${reason}, or name another file in DATABASE_URL`,
    )
  }
  createPrivateFile(path)
  // SQLite gives the files beside a database the permissions of the database.
  for (const suffix of ['', '-wal', '-shm', '-journal']) tighten(path + suffix, privateFile)
  return { file: path, afterClose: () => Promise.resolve() }
}

/** A file in a private folder. */
interface TemporaryFile {
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
