import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigurationError } from '../../../base/errors.ts'
import { explainSnapshotFolder } from '../write-snapshot-file.ts'

/** Name of the file that a server locks; it stays empty. */
const lockName = 'fleet.lock'

/** How long a start waits for the folder: whoever asks whether it is taken holds it for a moment. */
const waitMs = 1_000

/** Locks that are held; a database that nobody refers to is closed, and its lock gone. */
const held = new Set<DatabaseSync>()

/**
 * Takes a folder of snapshots for one server, and resolves with the function that gives it back.
 *
 * SQLite is used for its lock alone, which is one of the operating system's: it ends with the
 * process, however that ends, so no stale one can stop a start, and no process id is trusted.
 * @throws ConfigurationError (E_OBSERVABILITY_FOLDER) when another server has it.
 * @throws ConfigurationError (E_UNWRITABLE) when it cannot be made, and an Error of SQLite when no
 *   file in it can be locked.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  try {
    mkdirSync(folder, { recursive: true })
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
    // By chance: two that start at the same moment may keep each other from it once.
    await sleep(10 + Math.random() * 40)
  }
}

/** Whether a server that lives has this folder. */
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
  const database = new DatabaseSync(join(folder, lockName), { timeout: 0 })
  try {
    // Nothing is ever written, so there is no need for a journal beside the file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}

/** SQLITE_BUSY, in the low byte of its extended codes too. */
function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
  return (code & 0xff) === 5
}

function refuseSharedFolder(folder: string): never {
  throw new ConfigurationError(
    'E_OBSERVABILITY_FOLDER',
    `another server keeps its metrics in ${folder}; stop it, or give this one a folder of its ` +
      'own by FRAMEWORK_OBSERVABILITY_DIR (on a server of your own: observability.folder)',
  )
}
