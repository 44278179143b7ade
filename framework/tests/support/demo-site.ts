import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after } from 'node:test'
import { RunningCommand } from './command.ts'
import { freePort } from './free-port.ts'
import { plantDemo } from './plant-demo.ts'

/** The seeded demo account. */
export { demoAccount } from '../../../demo/demo-account.ts'

/** The demo project, served in development from its own copy. */
export interface DemoSite {
  readonly url: string
  /** Folder of the copy. */
  readonly folder: string
  /** Runs a counting query on the site's database. */
  count(statement: string, ...values: readonly string[]): number
  /** Marks an address as verified, as the link in its mail does. */
  readonly verify: (email: string) => void
  /** Expires all sessions. */
  endSessions(): void
}

/** How to start the demo. */
export interface DemoStart {
  /** @default 1 */
  readonly workers?: number
  /** @default a free one */
  readonly port?: number
  /** More variables. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Serves the demo for all tests of a file. Visitors may choose their address, as if behind a
 * proxy, because rate limits count by address and one file has many visitors.
 */
export async function startDemo(options: DemoStart = {}): Promise<DemoSite> {
  const { workers = 1 } = options
  const folder = plantDemo({ after })
  const port = String(options.port ?? (await freePort()))
  const command = new RunningCommand({ after }, ['serve', '--environment', 'development'], {
    cwd: folder,
    env: {
      PORT: port,
      TRUSTED_PROXIES: '127.0.0.1',
      WORKERS: String(workers),
      ...options.env,
    },
  })
  const url = await command.url()
  // The server writes to it too.
  const database = new DatabaseSync(join(folder, 'storage', 'database.sqlite'), {
    timeout: 120_000,
  })
  after(() => database.close())
  const resting = database.prepare(`UPDATE sessions SET used = used - 86400, expires = 1`)
  const verifying = database.prepare(`UPDATE users SET email_verified_at = 1 WHERE email = ?`)
  return {
    url,
    folder,
    count: (statement, ...values) =>
      Number(Object.values(database.prepare(statement).get(...values) ?? {})[0]),
    verify: (email) => void verifying.run(email),
    endSessions: () => void resting.run(),
  }
}
