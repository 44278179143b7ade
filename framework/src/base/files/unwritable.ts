import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigurationError } from '../errors.ts'
import { hasCode } from './has-code.ts'

const reasons: readonly (readonly [
  reason: () => string,
  advice: string,
  codes: readonly string[],
])[] = [
  [
    () => `this user${userId()} may not`,
    'change the owner or the rights of it',
    ['EACCES', 'EPERM'],
  ],
  [() => 'its file system is read-only', 'mount it for writing', ['EROFS']],
  [() => 'a file is where a folder should be', 'move that file away', ['ENOTDIR', 'EEXIST']],
  [() => 'the disk is full', 'make room on it', ['ENOSPC', 'EDQUOT']],
]

/**
 * Why nothing can be written below a folder, and what to do about it, when that is what an error of
 * the system says; null for any other error.
 */
export function unwritableReason(error: unknown, folder: string): string | null {
  for (const [reason, advice, codes] of reasons) {
    const code = codes.find((one) => hasCode(error, one))
    if (code === undefined) continue
    return `${nearestExisting(resolve(folder))} cannot be written to, ${reason()} (${code}): ${advice}`
  }
  return null
}

/**
 * An error to throw in the place of one of the system: when that says that nothing can be written
 * below the folder, one that says what to do, with `otherwise` as another way out; else the same.
 */
export function explainUnwritable(error: unknown, folder: string, otherwise = ''): unknown {
  const reason = unwritableReason(error, folder)
  if (reason === null) return error
  const more = otherwise === '' ? '' : `, or ${otherwise}`
  return new ConfigurationError('E_UNWRITABLE', reason + more, { cause: error })
}

function userId(): string {
  const id = process.getuid?.()
  return id === undefined ? '' : ` (uid ${id})`
}

/** The folder, or the first one above it that exists. */
export function nearestExisting(folder: string): string {
  const parent = dirname(folder)
  return existsSync(folder) || parent === folder ? folder : nearestExisting(parent)
}
