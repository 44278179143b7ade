import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { createCacheTable, SqlCache } from '../../src/cache/sql-cache.ts'
import { createJobsTable, SqlJobs } from '../../src/queue/sql-jobs.ts'
import { createAccountDeletionsTable } from '../../src/accounts/changes/account-deletion.ts'
import { createEmailChangesTable } from '../../src/accounts/changes/email-change.ts'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { RedisCache } from '../../src/cache/redis-cache.ts'
import { connectRedisJobs } from '../../src/queue/queue-settings.ts'
import type { Redis } from '../../src/redis/redis.ts'
import { createRateLimitsTable, SqlRateLimits } from '../../src/http/rate-limits/sql-rate-limits.ts'
import { RedisRateLimits } from '../../src/http/rate-limits/redis-rate-limits.ts'
import { RedisSessions } from '../../src/http/session/redis-sessions.ts'
import { SqlSessions } from '../../src/http/session/sql-sessions.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { onRedis } from '../support/test-redis.ts'
import { createTables } from './credentials-office.ts'
import { SecretScan } from './secret-scan.ts'
import { SecurityLife } from './security-life.ts'
import { SecuritySite } from './security-site.ts'
import type { SecurityStores } from './security-site.ts'

const tables = [
  'users',
  'tokens',
  'trusts',
  'sessions',
  'jobs',
  'cache',
  'rate_limits',
  'email_changes',
  'account_deletions',
]

async function createAll(database: Database): Promise<void> {
  await createTables(database)
  await database.transaction(async (transaction) => {
    const schema = new Schema(transaction)
    await createJobsTable(schema)
    await createCacheTable(schema)
    await createRateLimitsTable(schema)
    await createEmailChangesTable(schema)
    await createAccountDeletionsTable(schema)
  })
}

/** Every row of a table as text; bytes as they are. */
async function dump(database: Database, table: string): Promise<string> {
  const rows = await database.rows(sql`SELECT * FROM ${sql.name(table)}`)
  const shown = (value: unknown): string =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)
  return rows.map((row) => Object.values(row).map(shown).join('\n')).join('\n')
}

/** Lives through everything on a site; what came to light in it, by the place where it did. */
async function shownBy(stores: SecurityStores, scan: SecretScan): Promise<Map<string, string>> {
  const site = new SecuritySite(stores, scan)
  const life = new SecurityLife(site, scan, stores.database)
  await life.whole('ada@x.org')
  await life.whole('bob@x.org')
  await life.open('eve@x.org')
  await life.mailboxes('bob@x.org')
  const failures = await life.failures()
  const shown = new Map([
    ['log', site.lines.join('')],
    ['reports', site.reports.join('\n')],
    ['metrics', site.metrics()],
    ['failures', failures],
  ])
  for (const table of tables) shown.set(table, await dump(stores.database, table))
  site.close()
  return shown
}

/** Nothing may be found, in places that were not merely empty. */
function assertSilent(shown: ReadonlyMap<string, string>, scan: SecretScan): void {
  assert.ok(scan.size > 40)
  const found = [...shown].filter(([, text]) => scan.leaks(text).length > 0)
  assert.deepEqual(
    found.map(([place, text]) => `${place}: ${scan.leaks(text).join(' ')}`),
    [],
  )
  assert.match(shown.get('users') ?? '', /eve@x\.org/)
  assert.match(shown.get('log') ?? '', /"channel":"auth".*"event":"theft"/)
  assert.match(shown.get('log') ?? '', /"channel":"exceptions".*this route is broken/)
  assert.match(shown.get('metrics') ?? '', /auth_theft_total.* 2/)
  assert.match(shown.get('failures') ?? '', /missing/)
}

test('the search itself finds a secret that is plain, encoded or broken over two lines', () => {
  const scan = new SecretScan()
  const [password, verifier] = ['pässword "x" %', 'a1'.repeat(32)]
  scan.add(password)
  scan.add(verifier)
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  for (const text of [
    `x${password}x`,
    `?password=${encodeURIComponent(password)}&`,
    JSON.stringify({ password }),
    Buffer.from(password).toString('hex'),
    base64(`>${password}`),
    Buffer.from(password).toString('latin1'),
  ]) {
    assert.deepEqual(scan.leaks(text), [password], text)
  }
  for (const text of [
    `${verifier.slice(0, 30)}=\n${verifier.slice(30)}`,
    verifier.slice(0, 40),
    verifier.slice(-24).toUpperCase(),
    Buffer.from(verifier, 'hex').toString('base64'),
    base64(`>>${verifier}`),
  ]) {
    assert.deepEqual(scan.leaks(text), [verifier], text)
  }
  assert.deepEqual(scan.leaks(`${password.slice(1)} ${verifier.slice(0, 10)}`), [])
})

onEveryDatabase((name, _open, create) => {
  test('after a full life nothing stored, logged, counted or reported contains a secret', async (t) => {
    const url = await create()
    const database = await connect(`${url}?pool=4`)
    t.after(() => database.close())
    await createAll(database)
    const scan = new SecretScan()
    const shown = await shownBy(sqlStores(database), scan)
    for (const table of tables) assert.notEqual(shown.get(table), '', table)
    // Deleted rows too: a file keeps them for a while.
    if (name === Dialects.SQLite) {
      const file = url.slice('sqlite:'.length)
      const files = readdirSync(dirname(file)).filter((each) => each.startsWith(basename(file)))
      assert.ok(files.length > 0)
      for (const each of files) shown.set(each, readFileSync(join(dirname(file), each), 'latin1'))
    }
    assertSilent(shown, scan)

    const secret = 'the search finds this'
    scan.add(secret)
    await database.run(sql`UPDATE users SET password = ${secret} WHERE email = 'eve@x.org'`)
    assert.deepEqual(scan.leaks(await dump(database, 'users')), [secret])
  })
})

function sqlStores(database: Database): SecurityStores {
  return {
    database,
    sessions: new SqlSessions(database),
    sessionsOn: (surface) => new SqlSessions(surface),
    jobs: new SqlJobs(database),
    cache: new SqlCache(database),
    rateLimits: new SqlRateLimits(database),
  }
}

onRedis((openRedis, server) => {
  test('after a full life no key or value of Redis contains a secret', async (t) => {
    const redis = await openRedis(t)
    const database = await connect('sqlite::memory:')
    t.after(() => database.close())
    await createAll(database)
    const jobs = await connectRedisJobs(`${server().url}?prefix=${redis.prefix}jobs:`)
    t.after(() => jobs.close())
    const sessions = new RedisSessions(redis)
    const scan = new SecretScan()
    const shown = await shownBy(
      {
        database,
        sessions,
        sessionsOn: () => sessions,
        jobs,
        cache: new RedisCache(redis),
        rateLimits: new RedisRateLimits(redis),
      },
      scan,
    )
    const kept = await dumpRedis(redis)
    for (const part of ['jobs:', 'sessions:', 'cache:', 'rate-limit:']) {
      assert.ok(kept.includes(redis.prefix + part), part)
    }
    shown.set('redis', kept)
    assertSilent(shown, scan)
  })
})

const reads: Readonly<Record<string, readonly [command: string, ...more: string[]]>> = {
  string: ['GET'],
  hash: ['HGETALL'],
  list: ['LRANGE', '0', '-1'],
  set: ['SMEMBERS'],
  zset: ['ZRANGE', '0', '-1'],
  stream: ['XRANGE', '-', '+'],
}

async function dumpRedis(redis: Redis): Promise<string> {
  const found: unknown = await redis.call('KEYS', `${redis.prefix}*`)
  const keys = Array.isArray(found) ? found.map(String) : []
  const values = await Promise.all(
    keys.map(async (key) => {
      const [command, ...more] = reads[String(await redis.call('TYPE', key))] ?? assert.fail(key)
      return redis.call(command, key, ...more)
    }),
  )
  return `${keys.join('\n')}\n${values.flat(5).map(String).join('\n')}`
}
