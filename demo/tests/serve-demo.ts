import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Environments } from 'framework'
import { projectServer } from 'framework/testing'
import type { ProjectServer } from 'framework/testing'

const root = join(import.meta.dirname, '..')

/** Settings of a test: the environment, and variables on top of those of the process. */
export interface DemoOptions {
  readonly environment?: Environments
  readonly env?: Readonly<Record<string, string>>
}

/** The project on a database of its own, with its seeds, that ends with it. */
export function serveDemo({ env, ...options }: DemoOptions = {}): Promise<ProjectServer> {
  const own = { DATABASE_URL: 'sqlite::memory:', APP_KEY: randomBytes(32).toString('hex') }
  return projectServer(root, { ...options, env: { ...own, ...env } })
}

/** The URL of a new, empty database that is removed after the test. */
export function emptyDatabase(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'demo-database-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'database.sqlite')}`
}

/** The URL of a new database that has its tables and seeds, as a production needs one. */
export async function preparedDatabase(t: TestContext): Promise<string> {
  const url = emptyDatabase(t)
  const app = await serveDemo({ env: { DATABASE_URL: url } })
  await app.close()
  return url
}
