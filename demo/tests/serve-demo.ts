import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectServer } from 'framework/testing'
import type { ProjectServerOptions } from 'framework/testing'
import project from '../project.ts'

const root = join(import.meta.dirname, '..')

/** The environment of a test, variables that override those of the process, and so on. */
export type DemoOptions = Omit<ProjectServerOptions, 'root' | 'services'>

/** The address of the site in tests. */
export const site: string = 'https://demo.example'

/** Serves the project on its own seeded in-memory database. */
export function serveDemo({ env, ...options }: DemoOptions = {}) {
  const own = {
    APP_URL: site,
    APP_KEY: randomBytes(32).toString('hex'),
    DATABASE_URL: 'sqlite::memory:',
    // Overrides .env: tests must not reach real services.
    REDIS_URL: '',
    MAIL_HOST: '',
    MAIL_FROM: '',
    MAIL_QUEUE: '',
    ERRORS_ACCOUNTS: '',
    OIDC_COMPANY_ISSUER: '',
  }
  return projectServer(project, {
    ...options,
    root,
    env: { ...own, ...env },
    visitors: { tokenPage: '/login' },
  })
}

/** A test context, or `{ after }` of `node:test` for a whole file. */
interface Cleanup {
  after(undo: () => unknown): unknown
}

/** The URL of a new, empty database, removed after the test. */
export function emptyDatabase(t: Cleanup): string {
  const folder = mkdtempSync(join(tmpdir(), 'demo-database-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'database.sqlite')}`
}

/** The URL of a new database with tables and seeds, as production needs it. */
export async function preparedDatabase(t: Cleanup): Promise<string> {
  const url = emptyDatabase(t)
  const app = await serveDemo({ env: { DATABASE_URL: url } })
  await app.close()
  return url
}
