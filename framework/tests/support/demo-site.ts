import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after } from 'node:test'
import { RunningCommand } from './command.ts'
import { freePort } from './free-port.ts'

const repository = join(import.meta.dirname, '..', '..', '..')
const left = new Set(['node_modules', 'storage', 'tests'])

/** The account that the demo starts with. */
export { demoAccount } from '../../../demo/accounts/demo-account.ts'

/** The demo project, served in development from a copy of its own. */
export interface DemoSite {
  readonly url: string
  /** What is on its database; to look, and to let time pass. */
  readonly database: DatabaseSync
}

/**
 * Serves the demo for all tests of a file. Visitors may name an address of their own, as those of a
 * proxy do: limits count by address, and the tests of a file are more than one person would be.
 */
export async function startDemo(): Promise<DemoSite> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'framework-demo-')))
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  const demo = join(repository, 'demo')
  cpSync(demo, folder, { recursive: true, filter: (path) => !left.has(basename(path)) })
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  const port = String(await freePort())
  const command = new RunningCommand({ after }, ['serve', '--environment', 'development'], {
    cwd: folder,
    env: { PORT: port, TRUSTED_PROXIES: '127.0.0.1' },
  })
  const url = await command.url()
  const database = new DatabaseSync(join(folder, 'storage', 'database.sqlite'))
  after(() => database.close())
  return { url, database }
}
