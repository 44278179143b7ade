import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { Environments } from '../../settings/environments.ts'
import { Throwables, createThrowables } from '../../errors/throwables/throwables.ts'
import { Views } from '../../base/templates/views.ts'
import { FrameworkError, OverloadedError, RefusedInput } from '../../base/errors.ts'
import { DatabaseError } from '../../database/database-error.ts'
import { Response } from '../response/response.ts'
import { Server } from '../server/server.ts'
import { Catcher, createCatcher, nearRoutes } from './catcher.ts'
import { HttpError } from './http-error.ts'

function failing(
  environment: Environments,
  thrown: unknown,
): { app: Server; reported: [Error, unknown][] } {
  const throwables = createThrowables()
  const reported: [Error, unknown][] = []
  throwables.reporters.push((error, context) => reported.push([error, context]))
  const app = new Server({ environment, throwables })
  app.router.get('/boom', () => {
    throw thrown
  })
  return { app, reported }
}

function pageOf({ body }: Response): string {
  return typeof body === 'string' ? body : ''
}

test('in production the page shows the code and the status text, never the message', async () => {
  const { app } = failing('production', new Error('the secret plan'))
  const { status, text } = await app.inject({ url: '/boom' })
  assert.equal(status, 500)
  assert.match(text, /<h1>500<\/h1><p>Internal Server Error<\/p>/)
  assert.doesNotMatch(text, /secret plan/)
})

test('staging answers as production does', async () => {
  const { app } = failing('staging', new Error('the secret plan'))
  assert.doesNotMatch((await app.inject({ url: '/boom' })).text, /secret plan/)
})

test('a JSON client gets the status text alone', async () => {
  const { app } = failing('production', new Error('the secret plan'))
  const answer = await app.inject({ url: '/boom', headers: { accept: 'application/json' } })
  assert.deepEqual(answer.json(), { error: 'Internal Server Error' })
})

test('in development a loopback client sees the escaped stack, another does not', async () => {
  const { app } = failing('development', new Error('<b>bold</b>'))
  assert.match((await app.inject({ url: '/boom' })).text, /&lt;b&gt;bold/)
  assert.doesNotMatch((await app.inject({ url: '/boom', address: '203.0.113.7' })).text, /bold/)
})

test('in test a throwable is a 500 with one space, a missing route an empty 404', async () => {
  const { app } = failing('test', new Error('x'))
  const boom = await app.inject({ url: '/boom' })
  assert.deepEqual([boom.status, boom.text], [500, ' '])
  const missing = await app.inject({ url: '/nowhere' })
  assert.deepEqual([missing.status, missing.text], [404, ''])
})

test('a throwable is reported with method, path and peer, the query stripped', async () => {
  const error = new Error('x')
  const { app, reported } = failing('production', error)
  await app.inject({ url: '/boom?token=1', headers: { 'X-Request-Id': 'r1' } })
  assert.deepEqual(reported, [
    [error, { interface: 'WPI', method: 'GET', URI: '/boom', peer: '127.0.0.1', request: 'r1' }],
  ])
})

test('a status below 500 is not reported, and its headers are kept', async () => {
  const { app, reported } = failing(
    'production',
    new HttpError(429, 'slow down', { headers: { 'Retry-After': '7' } }),
  )
  const { status, headers } = await app.inject({ url: '/boom' })
  assert.deepEqual([status, headers['retry-after'], reported.length], [429, '7', 0])
})

test('refused input is a 400 that is not reported, and its message is for developers only', async () => {
  const refused = new RefusedInput('E_CURSOR', 'the cursor holds nothing')
  const { app, reported } = failing('production', refused)
  const { status, text } = await app.inject({ url: '/boom' })
  assert.deepEqual([status, reported.length], [400, 0])
  assert.match(text, /<h1>400<\/h1><p>Bad Request<\/p>/)
  assert.doesNotMatch(text, /cursor/)
})

test('an HttpError of 500 and above is reported and keeps its status', async () => {
  const { app, reported } = failing('production', new HttpError(503))
  assert.equal((await app.inject({ url: '/boom' })).status, 503)
  assert.equal(reported.length, 1)
})

test('an HttpError is a whole number from 400 to 599', () => {
  for (const status of [400, 418, 499, 500, 599]) assert.equal(new HttpError(status).status, status)
  for (const status of [0, 200, 302, 399, 600, 404.5, -404, Number.NaN, Infinity]) {
    assert.throws(() => new HttpError(status), {
      name: 'InvalidArgumentException',
      code: 'E_INVALID_ARGUMENT',
      message: `the status of an HttpError must be a whole number from 400 to 599, got ${status}`,
    })
  }
})

test('overload is a 503 with Retry-After and no details', async () => {
  const { app } = failing('production', new OverloadedError('too many passwords', 2))
  const { status, headers, text } = await app.inject({ url: '/boom' })
  assert.deepEqual([status, headers['retry-after']], [503, '2'])
  assert.match(text, /<h1>503<\/h1><p>Service Unavailable<\/p>/)
  assert.doesNotMatch(text, /too many/)
})

test('overload is reported once a minute, and the next report has the number of suppressed ones', () => {
  const throwables = createThrowables()
  const contexts: unknown[] = []
  throwables.reporters.push((_error, context) => contexts.push(context))
  let nowMs = 0
  const catcher = createCatcher({ environment: 'production', throwables, nowMs: () => nowMs })
  const overload = (): number => {
    return catcher.respond(null, new Response(), new OverloadedError('too many', 2)).code
  }
  for (let count = 0; count < 100; count += 1) assert.equal(overload(), 503)
  assert.deepEqual(contexts, [{ interface: 'WPI' }])
  catcher.respond(null, new Response(), new Error('another failure is reported as ever'))
  assert.equal(contexts.length, 2)
  nowMs = 60_000
  overload()
  assert.deepEqual(contexts[2], { interface: 'WPI', suppressed: 99 })
})

for (const [environment, body] of [
  ['production', /<h1>503<\/h1><p>Service Unavailable<\/p>/],
  ['staging', /<h1>503<\/h1>/],
  ['development', /no connection to the shop/],
  ['test', /^ $/],
] as const) {
  test(`a database that cannot be reached is a reported 503 with Retry-After in ${environment}`, async () => {
    for (const code of ['E_CONNECTION_LOST', 'E_POOL_TIMEOUT'] as const) {
      const error = new DatabaseError(code, 'no connection to the shop')
      const { app, reported } = failing(environment, error)
      const { status, headers, text } = await app.inject({ url: '/boom' })
      assert.deepEqual([status, headers['retry-after']], [503, '5'])
      assert.match(text, body)
      assert.deepEqual(
        reported.map(([one]) => one),
        [error],
      )
    }
  })
}

test('a value that the database rejects is a 400, and reported once a minute', async () => {
  const { app, reported } = failing('production', new DatabaseError('E_VALUE', 'it is no uuid'))
  for (let count = 0; count < 20; count += 1) {
    const { status, text } = await app.inject({ url: '/boom' })
    assert.equal(status, 400)
    assert.doesNotMatch(text, /uuid/)
  }
  assert.equal(reported.length, 1)
})

test('a row that somebody else has changed meanwhile is a 409, and no error of the application', async () => {
  const stale = new FrameworkError('E_STALE_ROW', 'posts 1 has version 2, not 1')
  const { app, reported } = failing('production', stale)
  const { status, text } = await app.inject({ url: '/boom' })
  assert.equal(status, 409)
  assert.equal(reported.length, 0)
  assert.doesNotMatch(text, /posts/)
})

test('any other failure of the database is a 500', async () => {
  const { app } = failing('production', new DatabaseError('E_STATEMENT', 'no such table'))
  const { status, headers } = await app.inject({ url: '/boom' })
  assert.deepEqual([status, headers['retry-after']], [500, undefined])
})

test('something thrown that is no Error is answered and reported all the same', async () => {
  const { app, reported } = failing('production', 'just text')
  assert.equal((await app.inject({ url: '/boom' })).status, 500)
  assert.match(reported[0]?.[0].message ?? '', /just text/)
})

test('nothing set before the failure leaks into the error response', async () => {
  const app = new Server({ environment: 'production', throwables: createThrowables() })
  app.router.get('/boom', (_request, response) => {
    response.header('X-Draft', '1').cookie('draft', '1')
    throw new Error('x')
  })
  const { headers } = await app.inject({ url: '/boom' })
  assert.equal(headers['x-draft'], undefined)
  assert.equal(headers['set-cookie'], undefined)
})

test('an answer can be asked for without a throwable, by its code', () => {
  const throwables = createThrowables()
  const reported: Error[] = []
  throwables.reporters.push((error) => reported.push(error))
  const catcher = createCatcher({ environment: 'production', throwables })
  const response = catcher.respond(null, new Response(), null, 503)
  assert.equal(response.code, 503)
  assert.match(pageOf(response), /<h1>503<\/h1><p>Service Unavailable<\/p>/)
  assert.deepEqual(reported, [])
})

test('a throwable answered by hand takes the code that is given', () => {
  const throwables = createThrowables()
  let reports = 0
  throwables.reporters.push(() => (reports += 1))
  const catcher = createCatcher({ environment: 'production', throwables })
  assert.equal(catcher.respond(null, new Response(), new Error('x'), 502).code, 502)
  assert.equal(reports, 1)
})

test('the environment of the next answer can be set, once', () => {
  const catcher = createCatcher({ environment: 'production', throwables: createThrowables() })
  catcher.Environment = 'test'
  assert.equal(catcher.respond(null, new Response(), new Error('x')).body, ' ')
  assert.match(pageOf(catcher.respond(null, new Response(), new Error('x'))), /<h1>500/)
})

test('the override is used up by an answer that fails, too', () => {
  const catcher = createCatcher({ environment: 'production', throwables: createThrowables() })
  catcher.Environment = 'test'
  const broken = new Response()
  broken.vary = () => {
    throw new Error('broken')
  }
  assert.equal(catcher.respond(null, broken, new Error('x')).body, 'Internal Server Error')
  assert.match(pageOf(catcher.respond(null, new Response(), new Error('x'))), /<h1>500/)
})

test('the shared catcher reports to the shared dispatcher', () => {
  const seen: Error[] = []
  const reporter = (error: Error): void => void seen.push(error)
  Throwables.reporters.push(reporter)
  try {
    const error = new Error('x')
    assert.equal(Catcher.respond(null, new Response(), error).code, 500)
    assert.deepEqual(seen, [error])
  } finally {
    Throwables.reporters.splice(Throwables.reporters.indexOf(reporter), 1)
  }
})

test('a handler that throws null or nothing is a failure like any other', async () => {
  for (const thrown of [null, undefined]) {
    const { app, reported } = failing('production', thrown)
    assert.equal((await app.inject({ url: '/boom' })).status, 500)
    assert.equal(reported.length, 1)
  }
})

test('a stream that breaks before its first byte is an error like any other', async () => {
  const { app, reported } = failing('production', new Error('unused'))
  app.router.get('/stream', (_request, response) =>
    response.stream(
      new Readable({
        read() {
          this.destroy(new Error('no source'))
        },
      }),
    ),
  )
  const { status, text } = await app.inject({ url: '/stream' })
  assert.equal(status, 500)
  assert.match(text, /<h1>500<\/h1>/)
  assert.equal(reported.length, 1)
})

test('an error page of the project gets the seconds of Retry-After, if there are any', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'errors-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'errors'))
  for (const status of [429, 503]) {
    writeFileSync(join(folder, 'errors', `${status}.template.html`), '<%= String(it.retryAfter) %>')
  }
  for (const [thrown, expected] of [
    [new HttpError(429, 'slow down', { headers: { 'Retry-After': '7' } }), '7'],
    [new HttpError(429, 'slow down'), 'null'],
    [
      new HttpError(503, 'away', { headers: { 'Retry-After': 'Wed, 21 Oct 2026 07:28:00 GMT' } }),
      'null',
    ],
    [new OverloadedError('too many passwords', 2), '2'],
  ] as const) {
    const { app } = failing('production', thrown)
    app.configure({ views: new Views(folder) })
    assert.equal((await app.inject({ url: '/boom' })).text, expected)
  }
})

test('an error page of the project knows whether a link can repeat the request', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'errors-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'errors'))
  writeFileSync(join(folder, 'errors/500.template.html'), '<%= it.again %>')
  const { app } = failing('production', new Error('lost'))
  app.configure({ views: new Views(folder) }).router.post('/boom', () => {
    throw new Error('lost')
  })
  assert.equal((await app.inject({ url: '/boom' })).text, 'true')
  assert.equal((await app.inject({ url: '/boom', method: 'POST' })).text, 'false')
})

const routes = [
  ['GET', '/'],
  ['GET', '/users'],
  ['POST', '/users'],
  ['GET', '/users/:id'],
  ['GET', '/reports/:year/summary'],
].map(([method = '', pattern = '']) => ({
  method,
  pattern,
  name: null,
  set: null,
  middlewares: [],
}))

test('a mistyped path gets similar routes, with their methods', () => {
  assert.deepEqual(nearRoutes({ path: '/user', route: null }, routes), [
    'GET /users',
    'POST /users',
  ])
  assert.deepEqual(nearRoutes({ path: '/user/17', route: null }, routes), ['GET /users/:id'])
  assert.deepEqual(nearRoutes({ path: '/report/2024/summary', route: null }, routes), [
    'GET /reports/:year/summary',
  ])
})

test('a path unlike all routes gets no suggestions', () => {
  assert.deepEqual(nearRoutes({ path: '/wp-login.php', route: null }, routes), [])
})

test('the route that took the request is not suggested, those like it are', () => {
  const taken = { path: '/users', route: '/users' }
  assert.deepEqual(nearRoutes(taken, routes), [])
  const alike = { method: 'GET', pattern: '/user', name: null, set: null, middlewares: [] }
  assert.deepEqual(nearRoutes(taken, [...routes, alike]), ['GET /user'])
})
