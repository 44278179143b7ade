import { accessSync, constants } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { nearestExisting, unwritableReason } from '../../base/files/explain-unwritable.ts'
import { parseDatabaseUrl } from '../../data/database/database-url.ts'
import { databaseScope } from '../config/database-scope.ts'
import type { Check, CheckContext } from './check-context.ts'
import { warning } from './finding.ts'
import { settingOf } from './setting-of.ts'

/** Whether this user can write where the project writes: logs, metrics, mails, the database. */
export const checkWritableFolders: Check = (context) => {
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
