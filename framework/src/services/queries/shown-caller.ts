import { fileLabel } from '../../base/stack/file-label.ts'
import type { CallSite } from '../activity/caller.ts'

/** A line of the project as `file:line`, relative to its folder. */
export function shownCaller({ file, line }: CallSite, root: string): string {
  return `${fileLabel(file, root)}:${line}`
}
