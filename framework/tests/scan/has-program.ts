import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Whether a program can be run by its name. */
export function hasProgram(name: string): boolean {
  const { PATH = '' } = process.env
  return PATH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
