import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/data/database/connect.ts'
import { Schema } from '../../src/data/migrations/schema.ts'
import { connectRedis } from '../../src/services/redis/connect-redis.ts'
import { Sessions } from '../../src/web/session/sessions.ts'
import { RedisSessions } from '../../src/web/session/redis-sessions.ts'
import type { SessionStore } from '../../src/web/session/session-store.ts'
import { createSessionsTable } from '../../src/web/session/sessions-table.ts'
import { SqlSessions } from '../../src/web/session/sql-sessions.ts'
import { startOwnPostgres } from '../support/postgres-server.ts'
import { startOwnRedis } from '../support/redis-server.ts'
import { serve } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

/** A server that the test can stop, with a session store on it. */
interface Storage {
  kill(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
  openStore(t: TestContext): Promise<SessionStore>
}

async function redisStorage(): Promise<Storage> {
  const server = await startOwnRedis()
  return Object.assign(server, {
    openStore: async (t: TestContext) => {
      const redis = await connectRedis(`${server.url}?command_timeout=15`)
      t.after(() => redis.close())
      return new RedisSessions(redis)
    },
  })
}

async function postgresStorage(): Promise<Storage> {
  const server = await startOwnPostgres()
  return Object.assign(server, {
    openStore: async (t: TestContext) => {
      const database = await connect(`${await server.createDatabase()}?pool=4`)
      t.after(() => database.close())
      await database.transaction((transaction) => createSessionsTable(new Schema(transaction)))
      return new SqlSessions(database)
    },
  })
}

/** The status, and the identity that the server saw. */
type Seen = `${number} ${string}`

for (const [name, start] of [
  ['Redis', redisStorage],
  ['PostgreSQL', postgresStorage],
] as const) {
  const storage = await start().catch((error: Error) => error)
  test(`while ${name} is down sessions are 503, sign nobody in or out, and recover`, async (t) => {
    if (storage instanceof Error) return t.skip(storage.message)
    t.after(() => storage.stop())
    const store = await storage.openStore(t)
    const { port } = await serve(t, (server) => {
      server.use(new Sessions(store))
      server.router.get('/me', async (request) => String(await request.session.get('identity')))
      server.router.get('/visit', (request) => request.session.set('seen', 1))
      server.router.get('/login', (request) => request.session.set('identity', '7'))
      server.router.get('/public', () => 'open')
    })
    const cookies: string[] = []
    const ask = async (path: string, cookie = ''): Promise<Seen> => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } })
      cookies.push(...answer.headers.getSetCookie())
      const body = await answer.text()
      const said = answer.status === 503 ? answer.headers.get('retry-after') : body
      return `${answer.status} ${said ?? ''}`
    }
    await ask('/login')
    const ada = cookies.splice(0)[0]?.split(';')[0] ?? ''
    assert.equal(await ask('/me', ada), '200 7')

    const seen: Seen[] = []
    const load = new AbortController()
    t.after(() => load.abort())
    const visitors = Array.from({ length: 4 }, async () => {
      while (!load.signal.aborted) seen.push(await ask('/me', ada))
    })
    await waitFor('some answers', () => seen.length > 20)
    await storage.kill()
    await waitFor('an answer without the store', () => seen.at(-1) === '503 5')
    assert.equal(await ask('/me', ada), '503 5')
    assert.equal(await ask('/visit', ada), '503 5')
    assert.equal(await ask('/login'), '503 5')
    assert.equal(await ask('/me'), '200 null', 'a visitor without a cookie needs no store')
    assert.equal(await ask('/public', ada), '200 open')
    assert.deepEqual(cookies, [])
    await storage.restart()
    await waitFor('the session', () => seen.at(-1) === '200 7')
    load.abort()
    await Promise.all(visitors)
    assert.deepEqual([...new Set(seen)].sort(), ['200 7', '503 5'])
    assert.deepEqual(cookies, [])
  })
}
