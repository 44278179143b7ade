import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { anyAccount } from '../../tests/support/any-account.ts'
import { plantProject } from '../../tests/support/plant-project.ts'
import { someKey } from '../../tests/support/some-key.ts'
import { createCacheTable, SqlCache } from '../cache/sql-cache.ts'
import { createJobsTable, SqlJobs } from '../queue/sql-jobs.ts'
import { Users } from '../accounts/users.ts'
import { createUsersTable } from '../accounts/users-rows.ts'
import { ApiTokens, createApiTokensTable } from '../accounts/tokens/api-tokens.ts'
import { Password } from '../accounts/passwords/password.ts'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import { connect } from '../database/connect.ts'
import { Schema } from '../migrations/schema.ts'
import { Cache } from '../cache/cache.ts'
import { MemoryCache } from '../cache/memory-cache.ts'
import { Queue } from '../queue/queue.ts'
import { queueWorker } from '../queue/run-queue.ts'
import { MemorySchedule } from '../schedule/memory-schedule.ts'
import { task } from '../schedule/task.ts'
import { defineRoutes } from '../http/urls/define-routes.ts'
import { Signed } from '../http/urls/signed.ts'
import { SignedUrls } from '../http/urls/signed-urls.ts'
import { Authentication } from '../accounts/guards/authentication.ts'
import { Bearer } from '../accounts/guards/bearer.ts'
import { SessionGuard } from '../accounts/guards/session-guard.ts'
import { RateLimit } from '../http/middlewares/rate-limit.ts'
import { defineProject } from '../project/project.ts'
import { SqlRateLimits, createRateLimitsTable } from '../http/rate-limits/sql-rate-limits.ts'
import { routeSet } from '../http/router/route-set.ts'
import { createSessionsTable, SqlSessions } from '../http/session/sql-sessions.ts'
import { Sessions } from '../http/session/sessions.ts'
import { projectServer } from './project-server.ts'

const route = defineRoutes({ download: '/download' })

/** Everything that has a clock, on a database, and nothing that is given one. */
async function services() {
  const database = await connect('sqlite::memory:')
  const schema = new Schema(database)
  await createUsersTable(schema)
  await createApiTokensTable(schema)
  await createSessionsTable(schema)
  await createRateLimitsTable(schema)
  await createCacheTable(schema)
  await createJobsTable(schema)
  const users = new Users(database, new Password())
  const tokens = new ApiTokens(database, { scopes: ['all'], credentials: anyAccount(database) })
  const key = someKey()
  return {
    database,
    users,
    tokens,
    bearer: new Bearer(tokens, { load: (id) => users.find(id) }),
    sessions: new Sessions(new SqlSessions(database), { idle: 600 }),
    limits: new SqlRateLimits(database),
    caches: [new Cache(new SqlCache(database)), new Cache(new MemoryCache())],
    urls: new SignedUrls({ route, key, url: 'https://shop.example' }),
    letters: new Queue<string>('letters', new SqlJobs(database), {
      encrypter: key.encrypter('queue'),
    }),
    ran: new Array<string>(),
  }
}
type Services = Awaited<ReturnType<typeof services>>

const Shop = routeSet<Services>('Shop', (router, { bearer, urls }) => {
  const signedIn = new Authentication(new SessionGuard())
  router.get('/account', () => 'mine', { middlewares: [signedIn] })
  router.get('/api', () => 'mine', { middlewares: [new Authentication(bearer)] })
  router.get(route('download'), () => 'file', { middlewares: [new Signed(urls)] })
  router.get('/search', () => 'found', { middlewares: [new RateLimit({ limit: 1, window: 60 })] })
})

const record = task('hourly', { every: 3600 }).run<Services>(({ services: { ran }, due }) => {
  ran.push(due.toISOString().slice(14))
})
const fail = task('monthly', { cron: '0 7 1 * *' }).run<Services>(() => {
  throw new RangeError('no month')
})

const project = defineProject({
  name: 'shop',
  services,
  routes: [Shop],
  sessions: ({ sessions }) => sessions,
  rateLimits: ({ limits }) => limits,
  queues: ({ letters, ran }) => [queueWorker(letters, ({ payload }) => void ran.push(payload))],
  schedule: { tasks: [record, fail], store: () => new MemorySchedule() },
})

async function open(t: TestContext) {
  const app = await projectServer(project, { root: plantProject(t, {}) })
  t.after(() => app.close())
  return app
}

test('a session ends', async (t) => {
  const app = await open(t)
  const ada = await app.actingAs({ id: '7' })
  assert.equal((await ada.ask('/account')).status, 200)
  app.travel(601)
  assert.equal((await ada.ask('/account')).status, 401)
})

test('an API token expires', async (t) => {
  const app = await open(t)
  const user = (await app.services.users.enroll('ada@example.com', 'correct horse')) ?? ''
  const wanted = { name: 'x', scopes: ['all'], ttl: 3600 } as const
  const made = await app.services.tokens.create(user, wanted, { keep: null })
  const headers = { authorization: `Bearer ${made?.value}` }
  assert.equal((await app.inject({ url: '/api', headers })).status, 200)
  app.travel(3600)
  assert.equal((await app.inject({ url: '/api', headers })).status, 401)
})

test('a rate limit begins anew', async (t) => {
  const app = await open(t)
  const ada = app.visitor()
  const statuses = [await ada.ask('/search'), await ada.ask('/search')]
  app.travel(60)
  statuses.push(await ada.ask('/search'))
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [200, 429, 200],
  )
})

test('a cached value expires', async (t) => {
  const app = await open(t)
  for (const cache of app.services.caches) {
    await cache.set('word', 'hello', 60)
    app.travel(59)
    assert.equal(await cache.get('word'), 'hello')
    app.travel(1)
    assert.equal(await cache.get('word'), null)
  }
})

test('a signed address expires', async (t) => {
  const app = await open(t)
  const url = app.services.urls.signedUrl('download', {}, { expires: 60 }).slice(20)
  assert.equal((await app.inject({ url })).status, 200)
  app.travel(61)
  assert.equal((await app.inject({ url })).status, 403)
})

test('a delayed job becomes due', async (t) => {
  const app = await open(t)
  await app.services.letters.push('dear Bob', { delay: 60 })
  assert.equal((await app.queues.work('letters')).done, 0)
  app.travel(61)
  assert.equal((await app.queues.work('letters')).done, 1)
  assert.deepEqual(app.services.ran, ['dear Bob'])
})

test('tasks become due, and one that was due several times runs once', async (t) => {
  const app = await open(t)
  // To half past, so that no full hour passes by itself.
  app.travel(1800 - (epochSeconds() % 3600))
  assert.deepEqual(await app.schedule.work(), [])
  app.travel(3600)
  const [hourly] = await app.schedule.work()
  assert.deepEqual([hourly?.task, hourly?.outcome], ['hourly', 'done'])
  assert.deepEqual(await app.schedule.work(), [])
  app.travel(36_000)
  assert.equal((await app.schedule.work()).length, 1)
  assert.deepEqual(app.services.ran, ['00:00.000Z', '00:00.000Z'])
})

test('a task runs on demand, and its error is that of the test', async (t) => {
  const app = await open(t)
  const due = new Date('2026-12-01T07:30:00Z')
  assert.equal((await app.schedule.run('hourly', { due })).outcome, 'done')
  assert.deepEqual(app.services.ran, ['30:00.000Z'])
  await assert.rejects(app.schedule.run('monthly'), { name: 'RangeError', message: 'no month' })
  app.travel(31 * 86_400)
  await assert.rejects(app.schedule.work(), { message: 'no month' })
  assert.equal(app.services.ran.length, 2)
  await assert.rejects(app.schedule.run('yearly'), { code: 'E_SCHEDULE' })
})
