import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import type { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { startRedis } from '../support/redis-server.ts'
import { onDatabase } from '../support/test-databases.ts'
import { liveWholeLife } from './demo-matrix-life.ts'
import { awaitDrained, awaitIn, mailFiles, mailServer, serveProject } from './demo-matrix-site.ts'
import type { MatrixProject } from './demo-matrix-site.ts'
import { Workshop } from './new-project-workshop.ts'

/** The parts of a set-up, besides two workers. */
interface SetUp {
  readonly environment: 'development' | 'production'
  readonly database: Dialects
  readonly redis: boolean
  readonly mail: 'server' | 'files'
  /** Where mails are queued; null when they are sent directly. */
  readonly queue: 'database' | 'redis' | null
}

const setUps: readonly SetUp[] = [
  { environment: 'production', database: 'sqlite', redis: false, mail: 'files', queue: 'database' },
  { environment: 'development', database: 'postgres', redis: true, mail: 'server', queue: null },
  {
    environment: 'production',
    database: 'postgres',
    redis: false,
    mail: 'server',
    queue: 'database',
  },
  { environment: 'development', database: 'mariadb', redis: true, mail: 'server', queue: null },
  { environment: 'production', database: 'mariadb', redis: true, mail: 'server', queue: 'redis' },
]

const redis = await startRedis().catch((error: Error) => error)
after(() => (redis instanceof Error ? undefined : redis.stop()))
const workshop = new Workshop()
let project: MatrixProject = { app: '', program: [] }
before(() => {
  workshop.link()
  project = { app: workshop.assemble(), program: workshop.program }
})
after(() => workshop.remove())

for (const [at, setUp] of setUps.entries()) {
  onDatabase(setUp.database, (_name, _open, create) => {
    const needs = setUp.redis || setUp.queue === 'redis'
    const skip = needs && redis instanceof Error && redis.message
    test(`an account's whole life works with ${inWords(setUp)}`, { skip }, async (t) => {
      const url = await create()
      const settings = { DATABASE_URL: url, WORKERS: '2', ...(setUp.redis && redisAt(at)) }
      await live(t, setUp, settings)
      // Development starts with one demo account.
      const accounts = setUp.environment === 'development' ? 2 : 1
      assert.equal(await rowsIn(url, 'users'), accounts)
      assert.equal(await rowsIn(url, 'jobs'), 0, 'no mail is left')
      const sessions = await rowsIn(url, 'sessions')
      assert.equal(sessions === 0, setUp.redis, `${sessions} sessions are in the database`)
    })
  })
}

async function live(
  t: TestContext,
  { environment, mail, queue, redis: withRedis }: SetUp,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const post =
    mail === 'server'
      ? await mailServer(t, workshop.folder)
      : { env: {}, mailbox: mailFiles(project.app) }
  const site = await serveProject(t, project, environment, {
    ...settings,
    ...post.env,
    ...(queue !== null && { MAIL_QUEUE: '1', QUEUE_DRIVER: queue }),
  })
  const waiting =
    queue === null ? awaitIn(post.mailbox) : awaitDrained(t, project, site, post.mailbox)
  await liveWholeLife(site.url, waiting)
  const ready = await (await fetch(`${site.url}/ready`)).json()
  const checks = { database: 'ok', ...(withRedis && { redis: 'ok' }) }
  assert.deepEqual(ready, { status: 'ready', checks })
  assert.equal((await workersOf(site.url)).size, 2)
  assert.equal(await site.server.stop(), 0)
  assert.doesNotMatch(site.server.stdout, /"level":"(?:WARNING|ERROR)"/)
  // Only what `framework check` has to say about a site on this machine, and no error among it.
  assert.doesNotMatch(site.server.stderr, /^(?!framework check| {2}warning| {11}|$)/m)
}

/** The ids of the processes that counted requests. */
async function workersOf(url: string): Promise<ReadonlySet<string>> {
  const exposition = await (await fetch(`${url}/metrics`)).text()
  const pids = exposition.matchAll(/^process_uptime_seconds\{pid="(\d+)"\}/gm)
  return new Set([...pids].map(([, pid = '']) => pid))
}

function redisAt(at: number): { readonly REDIS_URL: string } {
  if (redis instanceof Error) throw redis
  return { REDIS_URL: withLongTimeouts(`${redis.url}?prefix=matrix:${process.pid}:${at}:`) }
}

/** The number of rows in a table. */
async function rowsIn(url: string, table: string): Promise<number> {
  const database = await connect(url)
  try {
    return (await database.rows(sql`SELECT * FROM ${sql.name(table)}`)).length
  } finally {
    await database.close()
  }
}

function inWords({ environment, database, redis: withRedis, mail, queue }: SetUp): string {
  const parts = [
    database,
    ...(withRedis ? ['Redis'] : []),
    mail === 'server' ? 'a mail server' : 'mails in files',
    ...(queue === null
      ? []
      : [`a queue of mails in ${queue === 'redis' ? 'Redis' : 'the database'}`]),
  ]
  return `${parts.join(', ')}, in ${environment}`
}
