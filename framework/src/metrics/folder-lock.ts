import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigurationError } from '../base/errors.ts'
import { isFileLocked, lockFile } from '../base/files/file-lock.ts'
import { privateFolder } from '../base/files/private-files.ts'
import { explainSnapshotFolder } from './write-snapshot-file.ts'

/** Name of the file that a server locks; the file stays empty. */
const lockName = 'fleet.lock'

/** How long to wait for the lock: `isFolderLocked` in another process holds it for a moment. */
const waitMs = 1_000

/**
 * Locks a snapshot folder for one server. Resolves with a function that releases the lock.
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
    const release = lockFile(join(folder, lockName))
    if (release !== null) return release
    if (performance.now() > lastMs) refuseSharedFolder(folder)
    // Random, so that two servers that start together do not keep colliding.
    await sleep(10 + Math.random() * 40)
  }
}

/** Whether a running server holds the lock of this folder. */
export function isFolderLocked(folder: string): boolean {
  return isFileLocked(join(folder, lockName))
}

function refuseSharedFolder(folder: string): never {
  throw new ConfigurationError(
    'E_OBSERVABILITY_FOLDER',
    `another server stores its metrics in ${folder}; stop it, or give this server its own folder ` +
      'with FRAMEWORK_OBSERVABILITY_DIR (on a server of your own: observability.folder)',
  )
}
