import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigurationError, hasCode } from '../errors.ts'

const reasons: readonly (readonly [
  reason: () => string,
  advice: string,
  codes: readonly string[],
])[] = [
  [
    () => `this user${userId()} lacks the permission`,
    'change its owner or permissions',
    ['EACCES', 'EPERM'],
  ],
  [() => 'its file system is read-only', 'mount it writable', ['EROFS']],
  [() => 'a file is where a folder should be', 'move that file away', ['ENOTDIR', 'EEXIST']],
  [() => 'the disk is full', 'free some space', ['ENOSPC', 'EDQUOT']],
]

/** Why a folder cannot be written to and what to do about it; null for unrelated errors. */
export function unwritableReason(error: unknown, folder: string): string | null {
  for (const [reason, advice, codes] of reasons) {
    const code = codes.find((one) => hasCode(error, one))
    if (code === undefined) continue
    return `${nearestExisting(resolve(folder))} cannot be written to, ${reason()} (${code}): ${advice}`
  }
  return null
}

/**
 * Turns a system error into one that says why the folder cannot be written to and what to do, with
 * `otherwise` as an alternative; unrelated errors are returned unchanged.
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
