import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The permissions of a folder that only its owner may enter. */
export const privateFolder = 0o700

/** The permissions of a file that only its owner may read. */
export const privateFile = 0o600

/**
 * Creates an empty file that only its owner may read, for a library that would create it as the umask
 * says. An existing file is not even opened: closing it would end the locks that this process has on it.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', privateFile))
  } catch {
    // It exists, or the library will say better why it cannot be created.
  }
}

/** Creates a folder that only its owner may enter, for a library that would create it as the umask says. */
export function createPrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: privateFolder })
  } catch {
    // As in `createPrivateFile`.
  }
}

/** Takes away the permissions that go beyond `mode`, such as those of a file from an earlier version. */
export function tighten(path: string, mode: number): void {
  try {
    const found = statSync(path).mode & 0o777
    if ((found & ~mode) !== 0) chmodSync(path, found & mode)
  } catch {
    // It does not exist, or belongs to somebody else.
  }
}

/**
 * Takes away what goes beyond owner-only access to a folder, and beyond `mode` from the files in it.
 * Behind a folder that nobody else may enter the files are safe already, and are not looked at.
 */
export function tightenFolder(folder: string, mode: number): void {
  try {
    if ((statSync(folder).mode & 0o077) === 0) return
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isFile()) tighten(join(folder, entry.name), mode)
    }
  } catch {
    // As in `tighten`.
  }
  tighten(folder, privateFolder)
}
