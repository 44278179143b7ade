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
export function isWatchedFolder(path: string): boolean {
  const name = nameIn(path)
  if (skippedFolders.has(name) || name.startsWith('.')) return false
  // Elsewhere than at the top a folder of that name holds what some tool has built.
  return name !== 'public' || path === 'public' || inPublic.test(path)
}

/** Whether something depends on a file of that path, relative to the project. */
export function isWatchedFile(path: string): boolean {
  const name = nameIn(path)
  // Editors write their drafts beside a file.
  if (inPublic.test(path)) return !name.startsWith('.') && !name.endsWith('~')
  return watchedEnding.test(name) || name === '.env' || name.startsWith('.env.')
}

/** What a changed file asks for; paths are relative to the project. */
export function changeKind(path: string): ChangeKinds {
  if (inPublic.test(path) || inViews.test(path)) return ChangeKinds.Reload
  return inMigrations.test(path) ? ChangeKinds.Start : ChangeKinds.Restart
}

function nameIn(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
