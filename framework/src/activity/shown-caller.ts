import { fileLabel } from '../errors/stack/file-label.ts'
import type { CallSite } from './caller.ts'

/** A line of the project as `file:line`, relative to its folder. */
export function shownCaller({ file, line }: CallSite, root: string): string {
  return `${fileLabel(file, root)}:${line}`
}
