import { readdirSync, watch } from 'node:fs'
import type { Dirent, FSWatcher } from 'node:fs'
import { basename, join, relative } from 'node:path'

/** Editors and version control change many files at once; changes within this time are combined. */
const settleMs = 100

/**
 * Calls `changed` with the paths of changed files, relative to the project, once they have settled.
 * Returns a function that stops it.
 */
export function watchProject(
  root: string,
  changed: (files: readonly string[]) => void,
): () => void {
  // One watcher per folder: a recursive one would include node_modules.
  const watchers = new Map<string, FSWatcher>()
  const pending = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const report = (path: string): void => {
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
      const path = join(folder, name)
      // It may be a new folder; it can have files before it is watched.
      if (isWatchedFolder(relative(root, path))) add(path, report)
      if (!watchers.has(path) && isWatchedFile(relative(root, path))) report(path)
    })
    watcher.on('error', () => drop(folder))
    watchers.set(folder, watcher)
    for (const entry of entries) {
      const path = join(folder, entry.name)
      const own = relative(root, path)
      if (entry.isDirectory() && isWatchedFolder(own)) add(path, found)
      else if (entry.isFile() && isWatchedFile(own)) found(path)
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
    // A file, or a folder that has been removed again.
    return null
  }
}

/** What a changed file asks for. */
export const ChangeKinds = {
  /** The server must start again. */
  Restart: 'restart',
  /** A server in development reads it anew by itself; pages in browsers are to be reloaded. */
  Reload: 'reload',
  /**
   * Migrations are applied at startup, so one that is still being written causes no restart. But it may
   * be what a server that has exited was missing.
   */
  Start: 'start',
} as const
export type ChangeKinds = (typeof ChangeKinds)[keyof typeof ChangeKinds]

const skippedFolders: ReadonlySet<string> = new Set(['node_modules', 'storage', 'dist'])
const watchedEnding = /\.(?:[cm]?[jt]s|json|html)$/
const inPublic = /^public[\\/]/
const inViews = /^views[\\/].*\.html$/
const inMigrations = /^migrations[\\/]/

/** Whether a folder can contain files of the project, rather than builds or data. Paths are relative to it. */
function isWatchedFolder(path: string): boolean {
  const name = basename(path)
  if (skippedFolders.has(name) || name.startsWith('.')) return false
  // Elsewhere than at the top a folder of that name holds what some tool has built.
  return name !== 'public' || path === 'public' || inPublic.test(path)
}

/** Whether something depends on a file of that path, relative to the project. */
function isWatchedFile(path: string): boolean {
  const name = basename(path)
  // Editors write their drafts beside a file.
  if (inPublic.test(path)) return !name.startsWith('.') && !name.endsWith('~')
  return watchedEnding.test(name) || name === '.env' || name.startsWith('.env.')
}

/** What a changed file asks for; paths are relative to the project. */
export function changeKind(path: string): ChangeKinds {
  if (inPublic.test(path) || inViews.test(path)) return ChangeKinds.Reload
  return inMigrations.test(path) ? ChangeKinds.Start : ChangeKinds.Restart
}
