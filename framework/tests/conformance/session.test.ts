import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Environments } from '../../src/settings/environments.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { connect } from '../../src/database/connect.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { SecureHeaders } from '../../src/http/middlewares/secure-headers.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import { Server } from '../../src/http/server/server.ts'
import { createSessionsTable, SqlSessions } from '../../src/http/session/sql-sessions.ts'

/** A server with the embedded store and the routes of a small application. */
async function served(
  t: TestContext,
  environment: Environments = Environments.Production,
): Promise<{ at: (path: string) => string; reported: string[] }> {
  const database = await connect('sqlite::memory:')
  await database.transaction((transaction) => createSessionsTable(new Schema(transaction)))
  const throwables = createThrowables()
  const reported: string[] = []
  throwables.reporters.push((error, context) => {
    reported.push(`${error.stack} ${JSON.stringify([error, context])}`)
  })
  const server = new Server({ environment, throwables, reporter: null }).configure({
    port: 0,
    drainTimeout: 0,
  })
  server.use(new SecureHeaders(), new Sessions(new SqlSessions(database)))
  declareRoutes(server)
  const { port } = await server.listen({ signals: false })
  t.after(async () => {
    await server.close()
    await database.close()
  })
  return { at: (path) => `http://127.0.0.1:${port}${path}`, reported }
}

function declareRoutes({ router }: Server): void {
  router.get('/read', async ({ session }) => ({
    identity: await session.get('identity'),
    message: await session.flash('message'),
  }))
  router.get('/static', () => 'hello')
  router.post('/login', ({ session }, response) => {
    session.regenerate()
    session.set('identity', '7')
    session.flash('message', 'Welcome back!')
    return response.redirect('/read')
  })
  router.post('/logout', ({ session }, response) => {
    session.flush()
    session.regenerate()
    session.flash('message', 'Signed out.')
    return response.redirect('/read')
  })
  router.post('/fail', ({ session }) => {
    session.regenerate()
    session.set('identity', '8')
    throw new Error('planted')
  })
}

/** Keeps the cookie like a browser, but follows no redirects. */
class Browser {
  cookie = ''

  async ask(url: string, method = 'GET'): Promise<Response> {
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { cookie: this.cookie, accept: 'text/html' },
    })
    for (const line of answer.headers.getSetCookie()) this.cookie = line.split(';')[0] ?? ''
    return answer
  }

  async reads(url: string): Promise<unknown> {
    return (await this.ask(url)).json()
  }
}

test("signing in sends one cookie with the framework's cookie policy", async (t) => {
  const { at } = await served(t)
  const answer = await new Browser().ask(at('/login'), 'POST')
  assert.equal(answer.status, 303)
  const lines = answer.headers.getSetCookie()
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /^session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
})

test('reading a session, or not using one, sends no cookie', async (t) => {
  const { at } = await served(t)
  const browser = new Browser()
  await browser.ask(at('/login'), 'POST')
  await browser.ask(at('/read'))
  for (const path of ['/read', '/static', '/nowhere']) {
    const answer = await browser.ask(at(path))
    assert.deepEqual(answer.headers.getSetCookie(), [], path)
  }
})

test('a flash is shown once', async (t) => {
  const { at } = await served(t)
  const browser = new Browser()
  await browser.ask(at('/login'), 'POST')
  assert.deepEqual(await browser.reads(at('/read')), { identity: '7', message: 'Welcome back!' })
  assert.deepEqual(await browser.reads(at('/read')), { identity: '7', message: null })
})

test('a planted id is not signed in (fixation)', async (t) => {
  const { at } = await served(t)
  const attacker = new Browser()
  await attacker.ask(at('/logout'), 'POST')
  const planted = attacker.cookie
  assert.notEqual(planted, '')
  const victim = new Browser()
  victim.cookie = planted
  await victim.ask(at('/login'), 'POST')
  assert.notEqual(victim.cookie, planted)
  assert.deepEqual(await attacker.reads(at('/read')), { identity: null, message: null })
})

test('signing out invalidates the old id', async (t) => {
  const { at } = await served(t)
  const browser = new Browser()
  await browser.ask(at('/login'), 'POST')
  const thief = new Browser()
  thief.cookie = browser.cookie
  await browser.ask(at('/logout'), 'POST')
  assert.deepEqual(await browser.reads(at('/read')), { identity: null, message: 'Signed out.' })
  assert.deepEqual(await thief.reads(at('/read')), { identity: null, message: null })
})

test('a request that fails changes nothing and sends no cookie', async (t) => {
  const { at } = await served(t)
  const browser = new Browser()
  await browser.ask(at('/login'), 'POST')
  const { cookie } = browser
  const answer = await browser.ask(at('/fail'), 'POST')
  assert.deepEqual([answer.status, answer.headers.getSetCookie()], [500, []])
  assert.equal(browser.cookie, cookie)
  assert.deepEqual(await browser.reads(at('/read')), { identity: '7', message: 'Welcome back!' })
})

test('neither an error page nor its report contains the session id', async (t) => {
  const { at, reported } = await served(t, Environments.Development)
  const browser = new Browser()
  await browser.ask(at('/login'), 'POST')
  const answer = await browser.ask(at('/fail'), 'POST')
  const page = await answer.text()
  assert.match(page, /planted/)
  const id = browser.cookie.slice('session='.length)
  assert.equal(id.length, 43)
  assert.equal(reported.length, 1)
  for (const text of [page, reported.join()]) assert.equal(text.includes(id), false)
})
