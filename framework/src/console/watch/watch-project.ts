import { readdirSync, watch } from 'node:fs'
import type { Dirent, FSWatcher } from 'node:fs'
import { join, relative } from 'node:path'
import { isWatchedFile, isWatchedFolder } from './watched-files.ts'

/** Editors and version control touch many files at once; changes this close together are one. */
const settleMs = 100

/**
 * Calls back with the files that changed, as paths inside the project, once they have settled.
 * Returns the function that ends it.
 */
export function watchProject(
  root: string,
  changed: (files: readonly string[]) => void,
): () => void {
  // One watcher a folder: a recursive one would also walk node_modules.
  const watchers = new Map<string, FSWatcher>()
  const pending = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const note = (path: string): void => {
    pending.add(relative(root, path))
    clearTimeout(timer)
    timer = setTimeout(() => {
      const files = [...pending].sort()
      pending.clear()
      changed(files)
    }, settleMs)
  }
  const add = (folder: string, found: (file: string) => void): void => {
    if (watchers.has(folder)) return
    const entries = listFolder(folder)
    if (entries === null) return
    const watcher = watch(folder, (_event, name) => {
      if (name === null) return
      if (isWatchedFile(name)) note(join(folder, name))
      // It may be a folder that is new; files can be in it before it is watched.
      else if (isWatchedFolder(name)) add(join(folder, name), note)
    })
    watcher.on('error', () => drop(folder))
    watchers.set(folder, watcher)
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && isWatchedFolder(entry.name)) add(path, found)
      else if (entry.isFile() && isWatchedFile(entry.name)) found(path)
    }
  }
  const drop = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }

  add(root, () => {})
  return () => {
    clearTimeout(timer)
    for (const folder of watchers.keys()) drop(folder)
  }
}

function listFolder(folder: string): Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // A file, or a folder that is gone again.
    return null
  }
}
