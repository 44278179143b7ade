import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The first of these programs that is executable, in the folders of PATH, then in `more`. Servers are
 * often in folders that only root has on its PATH.
 */
export function findOnPath(names: readonly string[], more: readonly string[] = []): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...more]
  const files = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return files.find(isProgram) ?? null
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
