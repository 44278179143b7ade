import { globSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseDatabaseUrl } from '../../data/database/database-url.ts'
import { databaseScope } from '../config/database-scope.ts'
import type { Check, CheckContext } from './check-context.ts'
import { error } from './finding.ts'
import { settingOf } from './setting-of.ts'

const patterns = ['.env', '.env.*', 'storage/*.key', 'storage/tls/*.pem', 'storage/mails/*.eml']
const maxShown = 3
/** There may be many mails; the first ones tell. */
const maxFiles = 1_000

/** Whether other accounts of this machine can read settings, keys, mails or the database. */
export const checkSecretFiles: Check = (context) => {
  // Windows has no such permissions.
  if (process.platform === 'win32') return []
  const { root } = context
  const found = globSync(patterns, { cwd: root })
    .filter((file) => file !== '.env.example')
    .slice(0, maxFiles)
    .map((file) => join(root, file))
  const readable = [...found, ...databaseFiles(context)].filter(isWorldReadable)
  if (readable.length === 0) return []
  const shown = readable.slice(0, maxShown).map((file) => relative(root, file))
  const more = readable.length > maxShown ? ` and ${readable.length - maxShown} more` : ''
  const why = 'they contain passwords, keys, or links that open accounts'
  const fix = 'run chmod 600 on these files, or chmod 700 on their folder'
  return [error(`every account of this machine can read ${shown.join(', ')}${more}`, why, fix)]
}

function databaseFiles(context: CheckContext): string[] {
  const url = settingOf(context, databaseScope.variables.url)
  const file = url === undefined ? null : parseDatabaseUrl(url).file
  if (file === null) return []
  const path = resolve(context.root, file)
  return [path, `${path}-wal`]
}

/** A file with the permission for others, in folders that others may enter. */
function isWorldReadable(path: string): boolean {
  if (!hasMode(path, 0o004)) return false
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (!hasMode(folder, 0o001)) return false
  }
  return true
}

function hasMode(path: string, bits: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && (stats.mode & bits) !== 0
}
