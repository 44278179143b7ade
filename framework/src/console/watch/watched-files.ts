// Migrations are applied at startup, so one that is still being written must not cause a restart.
const skippedFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'storage',
  'dist',
  'public',
  'migrations',
])
const watchedEnding = /\.(?:[cm]?[jt]s|json|html)$/

/** Whether a folder can contain source files of the server, rather than builds, data or static files. */
export function isWatchedFolder(name: string): boolean {
  return !skippedFolders.has(name) && !name.startsWith('.')
}

/** Whether the server must restart when a file of that name changes. */
export function isWatchedFile(name: string): boolean {
  return watchedEnding.test(name) || name === '.env' || name.startsWith('.env.')
}
