import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { createPrivateFile } from './private-files.ts'

/** The locks in use; an unreferenced database would be garbage-collected and lose its lock. */
const held = new Set<DatabaseSync>()

/**
 * Locks a file, which stays empty. Returns what releases the lock, or null while somebody holds it.
 *
 * SQLite is used only for its file lock, which the operating system releases when the process ends
 * for whatever reason: there are no stale locks, and no process id has to be trusted.
 * @throws an SQLite error when the file cannot be locked.
 */
export function lockFile(path: string): (() => void) | null {
  createPrivateFile(path)
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    // Nothing is ever written, so no journal file is needed.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
  held.add(database)
  return () => {
    if (held.delete(database)) database.close()
  }
}

/** Whether somebody holds the lock of this file. */
export function isFileLocked(path: string): boolean {
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

/** SQLITE_BUSY, also as the low byte of extended codes. */
function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
  return (code & 0xff) === 5
}
