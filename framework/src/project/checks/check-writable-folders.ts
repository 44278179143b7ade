import { accessSync, constants, globSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { nearestExisting, unwritableReason } from '../../base/files/explain-unwritable.ts'
import { parseDatabaseUrl } from '../../database/database-url.ts'
import { databaseScope } from '../../database/database-settings.ts'
import type { Check, CheckContext } from './check-context.ts'
import { error, warning } from './finding.ts'
import type { Finding } from './finding.ts'
import { firstOf, othersCan } from './others-can.ts'
import { settingOf } from './setting-of.ts'

const served = ['.env', '.env.*', 'storage', 'storage/*', 'public', 'public/**']
/** There may be many files; the first ones tell. */
const maxFiles = 10_000

/**
 * Whether this user can write where the project writes: logs, metrics, mails, the database. And whether
 * other accounts of this machine can change what it stores or serves.
 */
export const checkWritableFolders: Check = (context) => [
  ...openToOthers(context),
  ...unwritable(context),
]

function openToOthers({ root }: CheckContext): readonly Finding[] {
  const paths = globSync(served, { cwd: root }).slice(0, maxFiles)
  const open = [...new Set(paths)].filter((path) => othersCan(2, join(root, path)))
  if (open.length === 0) return []
  const why = 'each of them can replace keys, rows, or the scripts that your visitors run'
  const fix = 'run chmod -R o-w storage public .env*'
  return [error(`every account of this machine can change ${firstOf(open)}`, why, fix)]
}

function unwritable(context: CheckContext): readonly Finding[] {
  const folders = new Set(foldersOf(context).map(nearestExisting))
  return [...folders].flatMap((folder) => {
    const reason = reasonOf(folder)
    if (reason === null) return []
    const why = 'logs, metrics or rows cannot be written'
    const fix = 'let the user that serves the project own its storage folder'
    return [warning(reason, why, fix)]
  })
}

function foldersOf(context: CheckContext): string[] {
  const { root, server } = context
  const url = settingOf(context, databaseScope.variables.url)
  const file = url === undefined ? null : parseDatabaseUrl(url).file
  return [
    join(root, 'storage'),
    join(root, 'storage', 'logs'),
    resolve(root, server.observabilityFolder),
    ...(file === null ? [] : [dirname(resolve(root, file))]),
  ]
}

function reasonOf(folder: string): string | null {
  try {
    // The "/." makes it fail for a file.
    accessSync(`${folder}/.`, constants.W_OK | constants.X_OK)
    return null
  } catch (thrown) {
    return unwritableReason(thrown, folder)
  }
}
