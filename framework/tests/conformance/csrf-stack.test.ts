import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { RateLimit } from '../../src/http/middlewares/rate-limit.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import { defineProject } from '../../src/project/project.ts'
import type { Project } from '../../src/project/project.ts'
import { SqlRateLimits, createRateLimitsTable } from '../../src/http/rate-limits/sql-rate-limits.ts'
import { routeSet } from '../../src/http/router/route-set.ts'
import type { InjectedResponse } from '../../src/http/server/inject.ts'
import { SqlSessions, createSessionsTable } from '../../src/http/session/sql-sessions.ts'
import { projectServer } from '../../src/testing/project-server.ts'
import type { ProjectServer } from '../../src/testing/project-server.ts'
import { plantProject } from '../support/plant-project.ts'
import { tokenIn } from './csrf-site.ts'

const Login = routeSet<object>('Login', (router) => {
  router.get('/login', (_request, response) => response.view('login'))
  router.post('/login', ({ fields }) => `Hello ${fields['email'] ?? ''}`, {
    middlewares: [new RateLimit({ limit: 3, window: 60 })],
  })
})

/** A project with sessions and rate limits in one SQLite database, configured by one line each. */
function project(): Project {
  return defineProject({
    name: 'shop',
    services: async () => {
      const database = await connect('sqlite::memory:')
      await createSessionsTable(new Schema(database))
      await createRateLimitsTable(new Schema(database))
      const sessions = new Sessions(new SqlSessions(database))
      return { database, sessions, limits: new SqlRateLimits(database) }
    },
    routes: [Login],
    sessions: ({ sessions }) => sessions,
    rateLimits: ({ limits }) => limits,
  })
}

async function serve(t: TestContext, env: Record<string, string> = {}): Promise<ProjectServer> {
  const root = plantProject(t, {
    'public/site.css': 'body {}',
    'views/login.template.html': '<form method="post"><%~ it.csrf %></form>',
  })
  const app = await projectServer(project(), { root, env })
  t.after(() => app.close())
  return app
}

/** Opens the form and sends it with its token. */
async function login(
  app: ProjectServer,
  headers: Record<string, string> = {},
): Promise<InjectedResponse> {
  const page = await app.inject({ url: '/login' })
  const [cookie = ''] = page.cookies[0]?.split(';') ?? []
  return app.inject({
    method: 'POST',
    url: '/login',
    headers: { cookie, ...headers },
    body: new URLSearchParams({ _token: tokenIn(page.text), email: 'ada@example.org' }),
  })
}

test('one line each adds sessions with CSRF protection, and rate limits shared by all workers', async (t) => {
  const app = await serve(t)
  const answer = await login(app)
  assert.equal(answer.text, 'Hello ada@example.org')
  assert.equal(answer.headers['x-ratelimit-remaining'], '2')
  assert.notEqual(answer.headers['x-request-id'], undefined)
  assert.notEqual(answer.headers['content-security-policy'], undefined)
})

test('rate limits run before the CSRF check: requests that fail it are counted, and finally refused unchecked', async (t) => {
  const app = await serve(t)
  const forged = async (): Promise<number> =>
    (await app.inject({ method: 'POST', url: '/login' })).status
  assert.deepEqual([await forged(), await forged(), await forged()], [403, 403, 403])
  const refused = await login(app)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['x-ratelimit-remaining'], '0')
  assert.notEqual(refused.headers['x-request-id'], undefined)
  assert.notEqual(refused.headers['content-security-policy'], undefined)
})

test('APP_URL is an allowed origin for forms', async (t) => {
  const app = await serve(t, { APP_URL: 'https://shop.example' })
  assert.equal((await login(app, { origin: 'https://shop.example' })).status, 200)
  assert.equal((await login(app, { origin: 'https://evil.example' })).status, 403)
})

test('public files need no session, and without sessions forms need no token', async (t) => {
  const app = await serve(t)
  const file = await app.inject({
    url: '/site.css',
    headers: { cookie: `session=${'x'.repeat(43)}` },
  })
  assert.equal(file.status, 200)
  assert.doesNotMatch(file.headers['vary'] ?? '', /cookie/i)
  const open = await projectServer(defineProject({ name: 'open', routes: [Login] }))
  t.after(() => open.close())
  const answer = await open.inject({
    method: 'POST',
    url: '/login',
    body: new URLSearchParams({ email: 'ada@example.org' }),
  })
  assert.equal(answer.text, 'Hello ada@example.org')
})
