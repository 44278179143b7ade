import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { HttpError } from '../../src/http/errors/http-error.ts'
import type { Server } from '../../src/http/server/server.ts'
import { exchange } from '../support/raw-client.ts'
import { failingServer } from './failing-server.ts'

/** Far enough down the file to have eight lines above it. */
class PaymentRefused extends Error {}

function refusePayment(): never {
  throw new PaymentRefused('the plan <b>Z</b>', { cause: new RangeError('no money left') })
}

const boom = (server: Server): void => {
  server.router.get('/boom', () => refusePayment())
  server.router.get('/late', async () => {
    await Promise.resolve()
    refusePayment()
  })
  server.router.get('/busy', () => {
    throw new HttpError(503, 'the secret pool is empty')
  })
  server.router.get('/users/:id', () => {
    throw new HttpError(403, 'not for the likes of you')
  })
  // oxlint-disable-next-line no-eval
  server.router.get('/evaluated', () => eval('(function inner() { throw new Error("inside") })()'))
  server.router.get('/posts/:id', () => {
    throw new HttpError(404)
  })
}

const json = { accept: 'application/json' }
const root = join(import.meta.dirname, '..', '..')
const here = relative(root, import.meta.filename)
const throwLine = readFileSync(import.meta.filename, 'utf8')
  .split('\n')
  .findIndex((line) => line.includes('throw new PaymentRefused'))

test('development: a throwable is a 500 with a self-contained, escaped debug page', async (t) => {
  const { get } = await failingServer(t, { environment: 'development', root, declare: boom })
  const { status, headers, text } = await get('/boom', {
    authorization: 'Bearer s3cret-bearer',
    cookie: 'session=s3cret-session',
    'user-agent': 'conformance',
  })
  assert.equal(status, 500)
  assert.match(headers.get('content-type') ?? '', /^text\/html/)
  assert.match(text, /PaymentRefused/)
  assert.match(text, /the plan &lt;b&gt;Z&lt;\/b&gt;/)
  assert.doesNotMatch(text, /<b>Z/)
  // The cause chain, with its own frames.
  assert.match(text, /RangeError/)
  assert.match(text, /no money left/)
  // The context, with secret headers masked.
  assert.match(text, /conformance/)
  assert.doesNotMatch(text, /s3cret-bearer|s3cret-session/)
  // Exactly eight lines on each side of the one that threw.
  const label = `aria-label="Source of ${here}, line ${throwLine + 1} is marked"`
  const excerpt = text.slice(text.indexOf(label), text.indexOf('</pre>', text.indexOf(label)))
  const shown = [...excerpt.matchAll(/data-n="(\d+)"/g)].map((match) => Number(match[1]))
  assert.deepEqual(
    shown,
    Array.from({ length: 17 }, (_, at) => throwLine + 1 - 8 + at),
  )
  // No external resources.
  assert.doesNotMatch(text, /(?:src|href)="(?:https?:)?\/\//)
  assert.doesNotMatch(text, /<link(?! rel="icon" href="data:)/)
  const nonce = /<script nonce="([^"]+)"/.exec(text)?.[1] ?? 'none'
  assert.ok(headers.get('content-security-policy')?.includes(`script-src 'nonce-${nonce}'`))
})

test('development: JSON has class, message, file, line and a trace of strings', async (t) => {
  const { get } = await failingServer(t, { environment: 'development', root, declare: boom })
  for (const path of ['/boom', '/late']) {
    const { status, headers, text } = await get(path, json)
    assert.equal(status, 500)
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
    const { trace, ...payload } = JSON.parse(text)
    assert.deepEqual(payload, {
      error: 'PaymentRefused',
      message: 'the plan <b>Z</b>',
      file: here,
      line: throwLine + 1,
    })
    assert.deepEqual(trace[0], {
      index: '1',
      file: here,
      line: String(throwLine + 1),
      call: 'refusePayment',
    })
    for (const [at, entry] of trace.entries()) {
      assert.deepEqual(Object.keys(entry), ['index', 'file', 'line', 'call'])
      for (const value of Object.values(entry)) assert.equal(typeof value, 'string')
      assert.equal(entry.index, String(at + 1))
    }
  }
})

test('development: code from eval is shown at the line that called eval', async (t) => {
  const { get } = await failingServer(t, { environment: 'development', root, declare: boom })
  const { file, line, trace } = JSON.parse((await get('/evaluated', json)).text)
  assert.deepEqual([file, line > 20, trace[0].call], [here, true, 'inner (eval)'])
  const { text } = await get('/evaluated')
  assert.ok(text.includes(`aria-label="Source of ${here}, line ${line} is marked"`))
  assert.doesNotMatch(text, /eval at /)
})

for (const environment of ['production', 'staging'] as const) {
  test(`${environment}: the project's own error page is used, for any status`, async (t) => {
    const views = {
      'errors/500': '<h1>Sorry <%= it.status %></h1><p><%= it.text %> <%= it.request %></p>',
      'errors/503': '<h1>Come back later</h1>',
    }
    const { get } = await failingServer(t, { environment, views, declare: boom })
    const boomed = await get('/boom')
    assert.equal(boomed.status, 500)
    const id = boomed.headers.get('x-request-id') ?? 'none'
    assert.equal(boomed.text, `<h1>Sorry 500</h1><p>Internal Server Error ${id}</p>`)
    const busy = await get('/busy')
    assert.deepEqual([busy.status, busy.text], [503, '<h1>Come back later</h1>'])
  })

  test(`${environment}: otherwise the built-in page has the code, the status text and the request id`, async (t) => {
    const { get } = await failingServer(t, { environment, declare: boom })
    const { status, headers, text } = await get('/boom')
    assert.equal(status, 500)
    assert.match(text, /<h1>500<\/h1><p>Internal Server Error<\/p>/)
    assert.ok(text.includes(headers.get('x-request-id') ?? 'none'))
    assert.equal(headers.get('vary'), 'Accept')
    assert.doesNotMatch(text, /plan|money|refusePayment|\.ts/)
  })

  test(`${environment}: a JSON client gets only the status text`, async (t) => {
    const { get } = await failingServer(t, { environment, declare: boom })
    const { status, text } = await get('/boom', json)
    assert.deepEqual([status, text], [500, '{"error":"Internal Server Error"}'])
    const busy = await get('/busy', json)
    assert.deepEqual([busy.status, busy.text], [503, '{"error":"Service Unavailable"}'])
  })
}

test('test: a throwable is a 500 with one space, a missing handler its status without a body', async (t) => {
  const { get } = await failingServer(t, { environment: 'test', declare: boom })
  for (const headers of [{}, json]) {
    const boomed = await get('/boom', headers)
    assert.deepEqual([boomed.status, boomed.text], [500, ' '])
    const missing = await get('/nowhere', headers)
    assert.deepEqual([missing.status, missing.text], [404, ''])
    const refused = await get('/users/1', headers)
    assert.deepEqual([refused.status, refused.text], [403, ''])
  }
})

test('clients that accept problem details get them, with a detail in development only', async (t) => {
  for (const environment of ['development', 'staging', 'production'] as const) {
    const { get } = await failingServer(t, { environment, declare: boom })
    const { headers, text } = await get('/boom?token=x', { accept: 'application/problem+json' })
    assert.equal(headers.get('content-type'), 'application/problem+json')
    assert.deepEqual(JSON.parse(text), {
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      instance: '/boom',
      request: headers.get('x-request-id'),
      ...(environment === 'development' && { detail: 'the plan <b>Z</b>' }),
    })
  }
})

test('an HttpError below 500 is a clean page everywhere; its message is shown in development', async (t) => {
  for (const environment of ['development', 'production'] as const) {
    const { get, reported } = await failingServer(t, { environment, declare: boom })
    const page = await get('/users/1')
    assert.equal(page.status, 403)
    assert.match(page.text, /<h1>403<\/h1><p>Forbidden<\/p>/)
    assert.equal(page.text.includes('not for the likes of you'), environment === 'development')
    const thrown = /<p>Thrown at <code>\S*error-answers\.test\.ts:\d+<\/code>/.test(page.text)
    assert.equal(thrown, environment === 'development')
    assert.equal((await get('/users/1', json)).text, '{"error":"Forbidden"}')
    const missing = await get('/user/1')
    assert.equal(missing.status, 404)
    assert.doesNotMatch(missing.text, /Thrown at/, 'no line of the project has thrown it')
    assert.equal(missing.text.includes('GET /users/:id'), environment === 'development')
    const noSuchPost = await get('/posts/1')
    assert.equal(noSuchPost.status, 404)
    assert.doesNotMatch(noSuchPost.text, /GET \/posts\/:id/, 'the route that was asked')
    assert.deepEqual(reported, [])
  }
})

test('development details are only shown to clients on this machine, unless opted in', async (t) => {
  const declare = boom
  const shown = /refusePayment/
  const shy = await failingServer(t, { environment: 'development', declare })
  assert.match((await shy.get('/boom')).text, shown)
  for (const headers of [
    { 'x-forwarded-for': '203.0.113.7' },
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=203.0.113.7' },
    { via: '1.1 cache' },
    { 'x-real-ip': '127.0.0.1' },
    { 'cf-connecting-ip': '127.0.0.1' },
    { 'true-client-ip': '127.0.0.1' },
  ]) {
    assert.doesNotMatch((await shy.get('/boom', headers)).text, shown)
    const payload = await shy.get('/boom', { ...headers, ...json })
    assert.equal(payload.text, '{"error":"Internal Server Error"}')
  }
  const open = await failingServer(t, { environment: 'development', debugRemote: true, declare })
  assert.match((await open.get('/boom', { forwarded: 'for=203.0.113.7' })).text, shown)
})

test('details are not shown to a foreign host name that resolves to this machine', async (t) => {
  const { origin } = await failingServer(t, { environment: 'development', declare: boom })
  const port = Number(new URL(origin).port)
  const ask = (host: string): Promise<string> =>
    exchange(port, `GET /boom HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  for (const host of ['localhost', `127.0.0.1:${port}`, '[::1]', 'app.localhost', 'app.test']) {
    assert.match(await ask(host), /refusePayment/, host)
  }
  for (const host of ['evil.example', 'localhost.evil.example', 'mytest', 'printer.local']) {
    assert.doesNotMatch(await ask(host), /refusePayment/, host)
  }
})

test('an error page that fails is a bare 500, and the next request works', async (t) => {
  const views = { 'errors/404': '<% throw new Error("broken page") %>' }
  const { get, reported } = await failingServer(t, {
    environment: 'production',
    views,
    declare: (server) => server.router.get('/fine', () => 'fine'),
  })
  const { status, text } = await get('/nowhere')
  assert.deepEqual([status, text], [500, 'Internal Server Error'])
  assert.match(reported[0]?.[0].message ?? '', /broken page/)
  assert.equal((await get('/fine')).text, 'fine')
})

test('reporters get the request context, without the query and secret parameters', async (t) => {
  const { get, reported } = await failingServer(t, {
    environment: 'production',
    declare: (server) => server.router.get('/reset/:selector/:verifier', refusePayment),
  })
  const { headers } = await get('/reset/abc/v%33rysecret?token=x')
  const [error, context] = reported[0] ?? []
  assert.ok(error instanceof PaymentRefused)
  assert.deepEqual(context, {
    interface: 'WPI',
    method: 'GET',
    URI: '/reset/abc/[redacted]',
    peer: '127.0.0.1',
    request: headers.get('x-request-id'),
  })
})
