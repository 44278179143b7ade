// Migrations are applied at start: one that is still being written must not be.
const skippedFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'storage',
  'dist',
  'public',
  'migrations',
])
const watchedEnding = /\.(?:[cm]?[jt]s|json|html)$/

/** Whether a folder can hold files of the running server; what is built, stored or sent as it is, is not. */
export function isWatchedFolder(name: string): boolean {
  return !skippedFolders.has(name) && !name.startsWith('.')
}

/** Whether the server has to start again when a file of that name changes. */
export function isWatchedFile(name: string): boolean {
  return watchedEnding.test(name) || name === '.env' || name.startsWith('.env.')
}
