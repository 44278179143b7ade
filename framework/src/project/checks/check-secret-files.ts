import { globSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseDatabaseUrl } from '../../database/database-url.ts'
import { databaseScope } from '../../database/database-settings.ts'
import type { Check, CheckContext } from './check-context.ts'
import { error } from './finding.ts'
import { firstOf, othersCan } from './others-can.ts'
import { settingOf } from './setting-of.ts'

const patterns = ['.env', '.env.*', 'storage/*.key', 'storage/tls/*.pem', 'storage/mails/*.eml']
/** There may be many mails; the first ones tell. */
const maxFiles = 1_000

/** Whether other accounts of this machine can read settings, keys, mails or the database. */
export const checkSecretFiles: Check = (context) => {
  const { root } = context
  const found = globSync(patterns, { cwd: root })
    .filter((file) => file !== '.env.example')
    .slice(0, maxFiles)
    .map((file) => join(root, file))
  const readable = [...found, ...databaseFiles(context)].filter((file) => othersCan(4, file))
  if (readable.length === 0) return []
  const shown = firstOf(readable.map((file) => relative(root, file)))
  const why = 'they contain passwords, keys, or links that open accounts'
  const fix = 'run chmod 600 on these files, or chmod 700 on their folder'
  return [error(`every account of this machine can read ${shown}`, why, fix)]
}

function databaseFiles(context: CheckContext): string[] {
  const url = settingOf(context, databaseScope.variables.url)
  const file = url === undefined ? null : parseDatabaseUrl(url).file
  if (file === null) return []
  const path = resolve(context.root, file)
  return [path, `${path}-wal`]
}
