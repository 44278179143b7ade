import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { closeDemo, newEmail, password, registered } from '../../../demo/tests/auth/people.ts'
import { Visitor } from '../../../demo/tests/auth/visitor.ts'
import { serveDemo } from '../../../demo/tests/serve-demo.ts'
import type { ProjectServer } from '../../src/web/testing/project-server.ts'

const link = `0123456789abcdef/${'0'.repeat(64)}`

// Not in the test environment, whose error responses are empty.
async function open(t: TestContext): Promise<ProjectServer> {
  const app = await serveDemo({ environment: 'development' })
  t.after(() => closeDemo(app))
  return app
}

for (const { method = 'POST', url, limit, window } of [
  { url: '/register', limit: 5, window: 600 },
  { url: '/login', limit: 5, window: 60 },
  { method: 'GET', url: `/verify/${link}`, limit: 10, window: 60 },
  { url: '/verify', limit: 3, window: 600 },
  { url: '/forgot', limit: 3, window: 600 },
  { url: `/reset/${link}`, limit: 5, window: 600 },
  { url: '/password', limit: 5, window: 60 },
]) {
  const route = `${method} ${url.replace(link, '…')}`
  test(`${route} allows ${limit} requests per peer in ${window} s, then 429`, async (t) => {
    const app = await open(t)
    t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 })
    const visitor = new Visitor(app)
    const body = new URLSearchParams({ _token: await visitor.token(), email: 'ada@example.com' })
    const request = method === 'GET' ? {} : { method, body }
    for (let sent = 1; sent <= limit; sent += 1) {
      const { status, headers } = await visitor.ask(url, request)
      assert.equal(status, 303)
      assert.equal(headers['x-ratelimit-limit'], String(limit))
      assert.equal(headers['x-ratelimit-remaining'], String(limit - sent))
      assert.equal(headers['x-ratelimit-reset'], String(1_800_000_000 + window))
    }
    const refused = await visitor.ask(url, request)
    assert.equal(refused.status, 429)
    assert.match(refused.headers['content-type'] ?? '', /^text\/html/)
    assert.equal(refused.headers['retry-after'], String(window))
    const script = await visitor.ask(url, { ...request, headers: { accept: 'application/json' } })
    assert.equal(script.status, 429)
    assert.deepEqual(script.json(), { error: 'Too Many Requests' })
    assert.notEqual((await new Visitor(app).ask(url, request)).status, 429)
    t.mock.timers.tick(window * 1000)
    assert.equal((await visitor.ask(url, request)).status, 303)
  })
}

for (const url of ['/register', '/login', '/forgot', '/account']) {
  test(`GET ${url} has no limit`, async (t) => {
    const { headers } = await new Visitor(await open(t)).ask(url)
    assert.equal(headers['x-ratelimit-limit'], undefined)
  })
}

/** A sign-in without a token, which counts like any other but costs no hash. */
function guess(visitor: Visitor, email: string): Promise<number> {
  const body = new URLSearchParams({ email, password })
  return visitor.ask('/login', { method: 'POST', body }).then(({ status }) => status)
}

test('an account allows a hundred sign-ins an hour, from all addresses together', async (t) => {
  const app = await open(t)
  const { email } = await registered(app)
  for (let sent = 0; sent < 100; sent += 1) {
    const written = sent % 2 === 0 ? email : ` ${email.toUpperCase()} `
    assert.equal(await guess(new Visitor(app), written), 403)
  }
  const refused = await new Visitor(app).submit('/login', { email, password })
  assert.equal(refused.status, 429)
  const script = await new Visitor(app).send('/login', { email, password })
  assert.equal(script.status, 429)
  const { email: other } = await registered(app)
  assert.equal((await new Visitor(app).submit('/login', { email: other, password })).to, '/account')
})

test('one stranger cannot lock the owner out, however often they try', async (t) => {
  const app = await open(t)
  const { email } = await registered(app)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const stranger = new Visitor(app)
  let allowed = 0
  for (let minute = 0; minute < 59; minute += 1) {
    for (let sent = 0; sent < 5; sent += 1) {
      if ((await guess(stranger, email)) !== 429) allowed += 1
    }
    t.mock.timers.tick(60_000)
  }
  assert.equal(allowed, 20)
  assert.equal((await new Visitor(app).submit('/login', { email, password })).to, '/account')
  assert.equal(await guess(stranger, newEmail()), 403)
})

test('a peer is identified by its connection: forwarded headers of strangers do not count', async (t) => {
  const app = await open(t)
  const visitor = new Visitor(app)
  for (let sent = 0; sent < 3; sent += 1) {
    await visitor.ask('/forgot', {
      method: 'POST',
      headers: { 'x-forwarded-for': `10.0.0.${sent}` },
    })
  }
  const { status } = await visitor.ask('/forgot', {
    method: 'POST',
    headers: { 'x-forwarded-for': '10.0.0.9', forwarded: 'for=10.0.0.9' },
  })
  assert.equal(status, 429)
})
