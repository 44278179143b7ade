import { statSync } from 'node:fs'
import { dirname } from 'node:path'

const maxShown = 3

/**
 * Whether every account of this machine can read (4) or change (2) a file or folder: it has the permission
 * for others, in folders that others may enter. Never on Windows, which has no such permissions.
 */
export function othersCan(permission: 2 | 4, path: string): boolean {
  if (process.platform === 'win32' || !hasMode(path, permission)) return false
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (!hasMode(folder, 0o001)) return false
  }
  return true
}

/** The first ones of a list, and how many more there are. */
export function firstOf(names: readonly string[]): string {
  const more = names.length > maxShown ? ` and ${names.length - maxShown} more` : ''
  return names.slice(0, maxShown).join(', ') + more
}

function hasMode(path: string, bits: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && (stats.mode & bits) !== 0
}
