import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigurationError } from '../base/errors.ts'
import { createPrivateFile, privateFolder } from '../base/files/private-files.ts'
import { explainSnapshotFolder } from './write-snapshot-file.ts'

/** Name of the file that a server locks; the file stays empty. */
const lockName = 'fleet.lock'

/** How long to wait for the lock: `isFolderLocked` in another process holds it for a moment. */
const waitMs = 1_000

/** The locks in use; an unreferenced database would be garbage-collected and lose its lock. */
const held = new Set<DatabaseSync>()

/**
 * Locks a snapshot folder for one server. Resolves with a function that releases the lock.
 *
 * SQLite is used only for its file lock, which the operating system releases when the process ends
 * for whatever reason: there are no stale locks, and no process id has to be trusted.
 * @throws ConfigurationError (E_OBSERVABILITY_FOLDER) when another server holds the lock.
 * @throws ConfigurationError (E_UNWRITABLE) when the folder cannot be created, and an SQLite error
 *   when no file in it can be locked.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  try {
    mkdirSync(folder, { recursive: true, mode: privateFolder })
  } catch (error) {
    throw explainSnapshotFolder(error, folder)
  }
  const lastMs = performance.now() + waitMs
  for (;;) {
    const database = tryLock(folder)
    if (database !== null) {
      held.add(database)
      return () => {
        if (held.delete(database)) database.close()
      }
    }
    if (performance.now() > lastMs) refuseSharedFolder(folder)
    // Random, so that two servers that start together do not keep colliding.
    await sleep(10 + Math.random() * 40)
  }
}

/** Whether a running server holds the lock of this folder. */
export function isFolderLocked(folder: string): boolean {
  const path = join(folder, lockName)
  if (!existsSync(path)) return false
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 0 })
    database.exec('SELECT count(*) FROM sqlite_schema')
    return false
  } catch (error) {
    return isBusy(error)
  } finally {
    database?.close()
  }
}

function tryLock(folder: string): DatabaseSync | null {
  createPrivateFile(join(folder, lockName))
  const database = new DatabaseSync(join(folder, lockName), { timeout: 0 })
  try {
    // Nothing is ever written, so no journal file is needed.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}

/** SQLITE_BUSY, also as the low byte of extended codes. */
function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
  return (code & 0xff) === 5
}

function refuseSharedFolder(folder: string): never {
  throw new ConfigurationError(
    'E_OBSERVABILITY_FOLDER',
    `another server stores its metrics in ${folder}; stop it, or give this server its own folder ` +
      'with FRAMEWORK_OBSERVABILITY_DIR (on a server of your own: observability.folder)',
  )
}
