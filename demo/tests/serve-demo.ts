import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environments } from 'framework'
import { projectServer } from 'framework/testing'
import type { ProjectServer } from 'framework/testing'

const root = join(import.meta.dirname, '..')

/** Settings of a test: the environment, and variables on top of those of the process. */
export interface DemoOptions {
  readonly environment?: Environments
  readonly env?: Readonly<Record<string, string>>
}

/** The address of the site in tests. */
export const site: string = 'https://demo.example'

/** The project on a database of its own, with its seeds, that ends with it. */
export function serveDemo({ env, ...options }: DemoOptions = {}): Promise<ProjectServer> {
  const own = {
    APP_URL: site,
    APP_KEY: randomBytes(32).toString('hex'),
    DATABASE_URL: 'sqlite::memory:',
    // Whatever .env says: tests reach nobody.
    REDIS_URL: '',
    MAIL_HOST: '', // part: auth
    MAIL_FROM: '', // part: auth
    MAIL_QUEUE: '', // part: auth
  }
  return projectServer(root, { ...options, env: { ...own, ...env } })
}

/** What ends: a test, or `{ after }` of `node:test` for all tests of a file. */
interface Ending {
  after(undo: () => unknown): unknown
}

/** The URL of a new, empty database that is removed after the test. */
export function emptyDatabase(t: Ending): string {
  const folder = mkdtempSync(join(tmpdir(), 'demo-database-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'database.sqlite')}`
}

/** The URL of a new database that has its tables and seeds, as a production needs one. */
export async function preparedDatabase(t: Ending): Promise<string> {
  const url = emptyDatabase(t)
  const app = await serveDemo({ env: { DATABASE_URL: url } })
  await app.close()
  return url
}
