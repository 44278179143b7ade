import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { CurrentWork } from '../../activity/current-work.ts'
import { Emitter } from '../../events/emitter.ts'
import { Logs } from '../../logs/logs.ts'
import { connect } from '../../database/connect.ts'
import { waitFor } from '../../../tests/support/wait-for.ts'
import { HttpError } from '../errors/http-error.ts'
import { RequestEvents } from '../request/request-events.ts'
import { Server } from '../server/server.ts'
import { RequestLog } from './request-log.ts'
import type { RequestLogOptions } from './request-log.ts'

interface Line {
  readonly level: string
  readonly channel: string
  readonly message: string
  readonly context: Readonly<Record<string, unknown>>
  readonly extra: Readonly<Record<string, unknown>>
}

function desk(
  t: TestContext,
  options: Partial<RequestLogOptions> = {},
): {
  server: Server
  emitter: Emitter
  log: RequestLog
  lines: () => Line[]
  text: () => string
} {
  const written: string[] = []
  const sink = {
    dropped: 0,
    write: (line: string) => void written.push(line),
    flush: () => Promise.resolve(),
    flushSync: () => {},
    close: () => Promise.resolve(),
  }
  const emitter = new Emitter()
  const log = new RequestLog({
    logs: new Logs({ sinks: [sink], clock: () => 1_700_000_000.25 }),
    mode: 'all',
    peer: 'network',
    paths: false,
    emitter,
    ...options,
  })
  t.after(() => log.close())
  const server = new Server({ environment: 'test', emitter }).configure({ health: '/health' })
  return {
    server,
    emitter,
    log,
    lines: () => written.map((line): Line => JSON.parse(line)),
    text: () => written.join(''),
  }
}

test('a request is one line with everything that is known about it', async (t) => {
  const { server, emitter, lines, text } = desk(t)
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const span = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
  emitter.listen(RequestEvents.Received, ({ activity }) => {
    if (activity !== null) activity.span = span
  })
  server.router.post('/orders/:id', async (request) => {
    request.identity = { id: '7', email: 'ada@a.example' }
    await database.rows({ sql: 'SELECT 1', parameters: [] })
    await database.rows({ sql: 'SELECT 2', parameters: [] })
    return 'größe'
  })
  await server.inject({
    method: 'POST',
    url: '/orders/5?token=secret',
    body: 'abc',
    headers: { 'x-request-id': 'r1' },
    address: '203.0.113.9',
  })
  const [line] = lines()
  const { ms, queryMs, ...context } = line?.context ?? {}
  assert.deepEqual(context, {
    route: '/orders/:id',
    method: 'POST',
    status: 200,
    bytesIn: 3,
    bytesOut: 7,
    queries: 2,
    account: '7',
    peer: '203.0.113.0/24',
    request: 'r1',
    trace: span.traceId,
  })
  assert.ok(Number(ms) > 0 && Number(queryMs) > 0)
  assert.deepEqual(
    { ...line, context: null },
    {
      timestamp: 1_700_000_000.25,
      level: 'INFO',
      channel: 'requests',
      message: 'POST /orders/:id',
      context: null,
      extra: { request: 'r1', trace: span.traceId, span: span.spanId },
    },
  )
  assert.doesNotMatch(text(), /secret|ada@|203\.0\.113\.9/)
})

test('the health probe has no line, a request without a route has neither path nor query', async (t) => {
  const { server, lines, text } = desk(t)
  await server.inject({ url: '/health' })
  await server.inject({ url: '/secret/path?secret=1', method: 'DELETE' })
  assert.equal(lines().length, 1)
  assert.equal(lines()[0]?.message, 'DELETE (no route)')
  assert.equal(lines()[0]?.context['route'], null)
  assert.equal(lines()[0]?.context['status'], 404)
  assert.doesNotMatch(text(), /secret/)
})

test('in development a request without a route has its path, without query and own tokens', async (t) => {
  const { server, lines, text } = desk(t, { paths: true })
  const secret = 'ab'.repeat(32)
  await server.inject({ url: `/style.css?${secret}` })
  await server.inject({ url: `/reset/${'cd'.repeat(8)}/${secret}` })
  assert.deepEqual(
    lines().map(({ context }) => context['path']),
    ['/style.css', `/reset/${'cd'.repeat(8)}/[redacted]`],
  )
  assert.ok(!text().includes(secret))
})

test('in development an asset has no line, nor has what a middleware has served', async (t) => {
  for (const [paths, expected] of [
    [true, ['/missing.css']],
    [false, [undefined, undefined, undefined]],
  ] as const) {
    const { server, lines } = desk(t, { paths })
    server.use((request, response, next) =>
      request.path === '/style.css' ? response.text('a {}') : next(),
    )
    server.router.get('/tool.js', () => '1')
    for (const url of ['/style.css', '/missing.css']) await server.inject({ url })
    await server.inject({ url: '/tool.js', headers: { 'sec-fetch-dest': 'script' } })
    assert.deepEqual(
      lines().map(({ context }) => context['path']),
      expected,
    )
  }
})

test('nothing from outside can break a line or add one', async (t) => {
  const { server, lines } = desk(t, { peer: 'full', paths: true })
  const hostile = '"},{"\n\\\u0000\u2028\ud800'
  server.router.get('/', (request) => {
    request.identity = { id: hostile }
    return hostile
  })
  const headers = { 'x-request-id': hostile, 'content-length': hostile }
  await server.inject({ url: '/', headers, address: hostile })
  await server.inject({ url: `/${hostile}`, headers, address: hostile, method: hostile })
  assert.equal(lines().length, 2)
  for (const { context } of lines()) {
    assert.equal(context['account'], null)
    assert.equal(context['bytesIn'], context['method'] === 'GET' ? 0 : null)
    assert.match(String(context['request']), /^[\da-f-]{36}$/)
  }
})

test('`errors` has a line for a status of 500 and above, `slow` also for a second and more', async (t) => {
  let nowMs = 1
  const nowMsOf = (): number => nowMs
  for (const [mode, expected] of [
    ['errors', ['/broken 500 WARN']],
    ['slow', ['/broken 500 WARN', '/slow 200 INFO']],
    ['all', ['/quick 200 INFO', '/broken 500 WARN', '/missing 404 INFO', '/slow 200 INFO']],
  ] as const) {
    const { server, lines } = desk(t, { mode, nowMs: nowMsOf })
    server.router.get('/quick', () => 'yes')
    server.router.get('/broken', () => {
      throw new HttpError(500)
    })
    server.router.get('/missing', () => {
      throw new HttpError(404)
    })
    server.router.get('/slow', () => {
      nowMs += 1_000
      return 'yes'
    })
    for (const url of ['/quick', '/broken', '/missing', '/slow']) await server.inject({ url })
    const shown = lines().map(({ level, context: { route, status } }) =>
      [route, status, level].join(' '),
    )
    assert.deepEqual(shown, expected, mode)
  }
})

test('the peer is cut to its network, whole or left out', async (t) => {
  const shown: unknown[] = []
  for (const peer of ['network', 'full', 'off'] as const) {
    const { server, lines } = desk(t, { peer })
    for (const address of ['203.0.113.9', '2001:db8:1:2::3']) {
      await server.inject({ url: '/', address })
    }
    shown.push(...lines().map(({ context }) => context['peer']))
  }
  assert.deepEqual(shown, [
    '203.0.113.0/24',
    '2001:db8:1::/48',
    '203.0.113.9',
    '2001:db8:1:2::3',
    undefined,
    undefined,
  ])
})

test('the bytes of a streamed response are counted', async (t) => {
  const { server, lines } = desk(t)
  server.router.get('/', (_request, response) => response.stream(Readable.from(['ab', 'cde'])))
  await server.inject({ url: '/' })
  assert.equal(lines()[0]?.context['bytesOut'], 5)
})

test('requests are followed and events listened to only until it is closed', () => {
  const emitter = new Emitter()
  const used = CurrentWork.isFollowed
  const log = new RequestLog({
    logs: new Logs({ sinks: [] }),
    mode: 'errors',
    peer: 'off',
    paths: false,
    emitter,
  })
  assert.equal(CurrentWork.isFollowed, true)
  log.close()
  assert.equal(CurrentWork.isFollowed, used)
  assert.ok(!emitter.hasListeners(RequestEvents.Handled))
})

test('the lines of one turn of the event loop are written together, in their order', async (t) => {
  const { server, lines } = desk(t, { batches: true })
  server.router.get('/:name', ({ params }) => params['name'])
  const names = ['a', 'b', 'c']
  await Promise.all(
    names.map((name) => server.inject({ url: `/${name}`, headers: { 'x-request-id': name } })),
  )
  assert.deepEqual(lines(), [])
  await waitFor('the lines', () => lines().length > 0)
  assert.deepEqual(
    lines().map(({ context }) => context['request']),
    names,
  )
})

test('what waits is written when the log is closed, and when the process exits', async (t) => {
  const { server, lines, log } = desk(t, { batches: true })
  await server.inject({ url: '/' })
  log.flushSync()
  assert.equal(lines().length, 1)
  await server.inject({ url: '/' })
  log.close()
  assert.equal(lines().length, 2)
})

test('a request runs in a context of its own, which the code that injected it never sees', async (t) => {
  const { server } = desk(t)
  const seen: unknown[] = []
  server.router.get('/:name', async ({ id }) => {
    seen.push(CurrentWork.context().activity?.id === id)
    await Promise.resolve()
    seen.push(CurrentWork.context().activity?.id === id)
    return 'x'
  })
  const outer = CurrentWork.context()
  const first = server.inject({ url: '/a', headers: { 'x-request-id': 'a' } })
  assert.equal(CurrentWork.context(), outer)
  const second = server.inject({ url: '/b', headers: { 'x-request-id': 'b' } })
  await Promise.all([first, second])
  assert.equal(CurrentWork.context(), outer)
  assert.deepEqual(seen, [true, true, true, true])
})
