import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { registered } from '../../../demo/tests/auth/people.ts'
import { preparedDatabase, serveDemo } from '../support/demo-tests.ts'
import type { InjectedRequest } from '../../src/http/server/inject.ts'
import type { ProjectServer } from '../../src/testing/project-server.ts'
import { assertSecurityHeaders } from './assert-security-headers.ts'
import { walk } from './demo-walk.ts'
import type { Step } from './demo-walk.ts'

const DATABASE_URL = await preparedDatabase({ after })
let app: ProjectServer
before(async () => {
  app = await serveDemo({ environment: 'production', env: { DATABASE_URL } })
})
after(() => app.close())

const pages = ['/', '/login', '/register', '/forgot', '/items', '/error', '/metrics', '/style.css']

test('every page that a guest can reach has the security headers', async () => {
  const steps = await walk(app.visitor(), '/')
  for (const { path, answer } of steps.filter(isOfSite)) assertSecurityHeaders(path, answer)
  const reached = new Set(steps.map(({ path }) => path))
  for (const page of pages) assert.ok(reached.has(page), page)
})

test('every page of a signed-in visitor has them too, over TLS with HSTS', async () => {
  const { visitor } = await registered(app)
  const steps = await walk(visitor, '/account', { secure: true })
  for (const { path, answer } of steps.filter(isOfSite)) {
    assertSecurityHeaders(path, answer, { secure: true })
  }
  const shown = steps.filter(({ answer }) => answer.status === 200)
  const reached = new Set(shown.map(({ path }) => path))
  for (const page of ['/account', '/password', '/items']) assert.ok(reached.has(page), page)
})

test('the health probe is not a document and is not cached', async () => {
  const { headers } = await app.visitor().ask('/health')
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['cache-control'], 'no-store')
})

function isOfSite({ path }: Step): boolean {
  return path !== '/health'
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

for (const [what, status, url, request] of [
  ['a redirect', 303, '/account', {}],
  ['a bad link', 303, `/reset/${'a'.repeat(16)}/${'b'.repeat(64)}`, {}],
  ['a guest that is a script', 401, '/account', { headers: { accept: 'application/json' } }],
  ['a cursor of nobody', 400, '/items?cursor=x', {}],
  ['a missing page', 404, '/nothing', {}],
  ['a missing page for a script', 404, '/nothing', { headers: { accept: 'application/json' } }],
  ['another method', 405, '/logout', {}],
  ['a question for methods', 204, '/login', { method: 'OPTIONS' }],
  ['headers alone', 200, '/login', { method: 'HEAD' }],
  ['a form without a token', 403, '/login', { method: 'POST', headers: form, body: 'email=a' }],
  ['a failure', 500, '/error', {}],
  ['a failure for a script', 500, '/error', { headers: { accept: 'application/json' } }],
  ['a part of a file', 206, '/style.css', { headers: { range: 'bytes=0-9' } }],
  ['a part that is none', 416, '/style.css', { headers: { range: 'bytes=9999999-' } }],
  ['a path out of the folder', 404, '/..%2f..%2fpackage.json', {}],
] satisfies [string, number, string, Omit<InjectedRequest, 'url'>][]) {
  test(`${what} has them too, as ${status}`, async () => {
    const answer = await app.visitor().ask(url, request)
    assertSecurityHeaders(what, answer)
    assert.equal(answer.status, status)
  })
}

test('an unmodified file has them too, as 304', async () => {
  const visitor = app.visitor()
  const { headers } = await visitor.ask('/style.css')
  const answer = await visitor.ask('/style.css', {
    headers: { 'if-none-match': headers['etag'] ?? '' },
  })
  assert.equal(answer.status, 304)
  assertSecurityHeaders('304', answer)
})

test('a body that is too large or of an unknown type has them too, as 413 and 415', async () => {
  const visitor = app.visitor()
  const token = { 'x-csrf-token': await visitor.token() }
  const post = (body: string, type: string) =>
    visitor.ask('/login', { method: 'POST', body, headers: { ...token, 'content-type': type } })
  const large = await post('a'.repeat(2 ** 21), form['content-type'])
  assert.equal(large.status, 413)
  assertSecurityHeaders('413', large)
  const strange = await post('<a/>', 'application/xml')
  assert.equal(strange.status, 415)
  assertSecurityHeaders('415', strange)
})

test('an exceeded rate limit has them too, as 429', async () => {
  const visitor = app.visitor()
  for (let sent = 0; sent < 5; sent += 1) await visitor.ask('/login', { method: 'POST' })
  const answer = await visitor.ask('/login', { method: 'POST' })
  assert.equal(answer.status, 429)
  assertSecurityHeaders('429', answer)
})
