import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const repository = join(import.meta.dirname, '..', '..', '..')
const left: ReadonlySet<string> = new Set(['node_modules', 'storage', 'tests'])

/** A copy of the demo project with empty storage, removed after the test. */
export function plantDemo(t: { after(undo: () => unknown): unknown }): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'framework-demo-')))
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  copyDemo(folder)
  return folder
}

/** Copies the demo project to a folder, with empty storage and the packages of this repository. */
export function copyDemo(folder: string): void {
  cpSync(join(repository, 'demo'), folder, {
    recursive: true,
    filter: (path) => !left.has(basename(path)),
  })
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
}
