import { join } from 'node:path'
import { privateFile, privateFolder, tighten, tightenFolder } from '../base/files/private-files.ts'
import { logFileMode } from '../logs/log-file.ts'

/**
 * Takes access to what a project stores away from other users of the machine, if an earlier version or
 * somebody else left it open. New files and folders are created that way. A project that stores nothing
 * yet, or in folders of another user, is left as it is.
 */
export function tightenStorage(root: string): void {
  const storage = join(root, 'storage')
  for (const name of ['exports', 'mails', 'reports', 'observability', 'tls']) {
    tightenFolder(join(storage, name), privateFile)
  }
  tightenFolder(join(storage, 'logs'), logFileMode)
  // Only the folders themselves: what else is in them belongs to the project.
  tighten(join(storage, 'cache'), privateFolder)
  tighten(storage, privateFolder)
}
