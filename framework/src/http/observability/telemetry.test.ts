import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { Emitter } from '../../events/emitter.ts'
import { Observability } from '../../metrics/observability.ts'
import { RawClient, exchange } from '../../../tests/support/raw-client.ts'
import { waitFor } from '../../../tests/support/wait-for.ts'
import { RequestEvents } from '../request/request-events.ts'
import { Server } from '../server/server.ts'
import { Telemetry } from './telemetry.ts'

interface Measured {
  readonly server: Server
  readonly telemetry: Telemetry
  readonly emitter: Emitter
  /** Milliseconds that the clock of telemetry is ahead. */
  aheadMs: number
  /** Lets what `/stuck` waits for happen. */
  readonly release: () => void
  /** The value of a series, by its name and, for answers, the class. */
  readonly value: (name: string, label?: string) => number | undefined
  /** The number of requests by method, route and status. */
  readonly byRoute: () => Readonly<Record<string, number>>
}

function measured(): Measured {
  const observability = new Observability(false)
  const emitter = new Emitter()
  const server = new Server({
    environment: 'production',
    emitter,
    throwables: createThrowables(),
    reporter: null,
  })
  server.router
    .get('/', () => 'fine')
    .get('/away', (_request, response) => response.redirect('/'))
    .get('/boom', () => {
      throw new Error('x')
    })
    .get('/stream', (_request, response) => response.stream(Readable.from(['a', 'b'])))
    .get('/slow', (request) => once(request.signal, 'abort'))
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  server.router.get('/stuck', () => released)
  const nowMs = (): number => performance.now() + measuring.aheadMs
  const measuring: Measured = {
    server,
    telemetry: new Telemetry(observability, {
      emitter,
      nowMs,
      routes: () => server.router.routes(),
    }),
    emitter,
    aheadMs: 0,
    release,
    value(name, label) {
      const series = observability.gather().metrics[name]?.series ?? []
      const found = series.find(({ labels }) => label === undefined || labels['class'] === label)
      if (found === undefined) return undefined
      return 'value' in found ? found.value : found.count
    },
    byRoute() {
      const metric = observability.gather().metrics['http_server_request_duration_seconds']
      const series = metric?.type === 'histogram' ? metric.series : []
      return Object.fromEntries(
        series.map(({ labels, count }) => [
          ['http_request_method', 'http_route', 'http_response_status_code']
            .map((name) => labels[name] ?? '-')
            .join(' '),
          count,
        ]),
      )
    },
  }
  return measuring
}

test('nothing is recorded before boot', async () => {
  const { server, value } = measured()
  await server.inject({ url: '/' })
  assert.equal(value('http_requests_total'), undefined)
})

test('requests, durations and classes of answers are counted; every class is there from boot', async () => {
  const { server, telemetry, value } = measured()
  telemetry.boot()
  telemetry.boot()
  for (const label of ['1xx', '2xx', '3xx', '4xx', '5xx']) {
    assert.equal(value('http_responses_total', label), 0, label)
  }
  for (const url of ['/', '/', '/away', '/boom', '/nowhere', '/stream'])
    await server.inject({ url })
  assert.equal(value('http_requests_total'), 6)
  assert.equal(value('http_request_duration_seconds'), 6)
  assert.equal(value('http_requests_in_flight'), 0)
  const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'].map((label) =>
    value('http_responses_total', label),
  )
  assert.deepEqual(classes, [0, 3, 1, 1, 1])
})

test('requests count by method, route and status; paths without a route are one series', async () => {
  const { server, telemetry, byRoute } = measured()
  telemetry.boot()
  assert.deepEqual(byRoute(), {})
  for (const url of ['/', '/?x=1', '/away', '/boom', '/nowhere', '/elsewhere'])
    await server.inject({ url })
  await server.inject({ url: '/', method: 'HEAD' })
  await server.inject({ url: '/', method: 'POST' })
  await server.inject({ url: '/', method: 'BREW' })
  assert.deepEqual(byRoute(), {
    'GET / 200': 2,
    'GET /away 303': 1,
    'GET /boom 500': 1,
    'GET - 404': 2,
    'HEAD / 200': 1,
    'POST - 405': 1,
    '_OTHER - 405': 1,
  })
})

test('after stop nothing more is counted', async () => {
  const { server, telemetry, value } = measured()
  telemetry.boot()
  await server.inject({ url: '/' })
  telemetry.stop()
  await server.inject({ url: '/' })
  assert.equal(value('http_requests_total'), 1)
})

test('a client that went away counts in total and duration, in no class', async (t) => {
  const { server, telemetry, value, byRoute } = measured()
  telemetry.boot()
  const { port } = await server.configure({ port: 0, drainTimeout: 0 }).listen({ signals: false })
  t.after(() => server.close())
  const client = await RawClient.connect(port)
  client.send('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await waitFor('the request', () => value('http_requests_in_flight') === 1)
  client.reset()
  await waitFor('the end of the request', () => value('http_requests_in_flight') === 0)
  assert.equal(value('http_requests_total'), 1)
  assert.equal(value('http_request_duration_seconds'), 1)
  for (const label of ['2xx', '5xx']) assert.equal(value('http_responses_total', label), 0)
  assert.deepEqual(byRoute(), { 'GET /slow -': 1 })
})

test('the last answer of a connection has its class, whole or streamed', async (t) => {
  const { server, telemetry, value } = measured()
  telemetry.boot()
  const { port } = await server.configure({ port: 0, drainTimeout: 0 }).listen({ signals: false })
  t.after(() => server.close())
  for (const path of ['/', '/stream']) {
    await exchange(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  }
  await waitFor('both to be over', () => value('http_requests_in_flight') === 0)
  assert.equal(value('http_responses_total', '2xx'), 2)
})

test('a request whose Handled event is emitted twice counts once', async () => {
  const { server, telemetry, emitter, value } = measured()
  telemetry.boot()
  let repeats = 3
  emitter.listen(RequestEvents.Handled, (request, response) => {
    repeats -= 1
    if (repeats > 0) emitter.emit(RequestEvents.Handled, request, response)
  })
  await server.inject({ url: '/' })
  assert.equal(value('http_requests_in_flight'), 0)
  assert.equal(value('http_request_duration_seconds'), 1)
  assert.equal(value('http_responses_total', '2xx'), 1)
})

test('telemetry that starts during a request does not count it, even if another one does', async () => {
  const { server, telemetry, emitter, release, value } = measured()
  telemetry.boot()
  const answer = server.inject({ url: '/stuck' })
  const later = new Observability(false)
  new Telemetry(later, { emitter }).boot()
  release()
  await answer
  assert.equal(value('http_requests_in_flight'), 0)
  assert.equal(value('http_responses_total', '2xx'), 1)
  const { http_requests_in_flight: inFlight, http_responses_total: responses } =
    later.gather().metrics
  assert.deepEqual(inFlight?.series, [{ labels: {}, value: 0 }])
  assert.ok(responses?.series.every((one) => 'value' in one && one.value === 0))
  await server.inject({ url: '/' })
  assert.deepEqual(later.gather().metrics['http_requests_total']?.series, [
    { labels: {}, value: 1 },
  ])
})

for (const [title, sent] of [
  ['a handler', 'GET /stuck HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['one that waits behind others', 'GET /stuck HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(3)],
] as const) {
  test(`${title} that never ends is in flight for 120 s after its client left, and counts once`, async (t) => {
    const measuring = measured()
    const { server, telemetry, release, value } = measuring
    telemetry.boot()
    const { port } = await server.configure({ port: 0, drainTimeout: 0 }).listen({ signals: false })
    t.after(() => server.close())
    const count = sent.split('/stuck').length - 1
    const client = await RawClient.connect(port)
    client.send(sent)
    await waitFor('the requests', () => value('http_requests_in_flight') === count)
    measuring.aheadMs = 300_000
    assert.equal(value('http_requests_in_flight'), count, 'their client is still there')
    const left = told(measuring.emitter, RequestEvents.Gone, count)
    client.reset()
    await left
    measuring.aheadMs += 119_000
    assert.equal(value('http_requests_in_flight'), count)
    measuring.aheadMs += 1_000
    assert.equal(value('http_requests_in_flight'), 0)
    assert.equal(value('http_request_duration_seconds'), count)
    assert.equal(value('http_responses_total', '2xx'), 0)
    release()
    await waitFor('the handlers', () =>
      exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
    )
    assert.equal(value('http_requests_in_flight'), 0)
    assert.equal(value('http_request_duration_seconds'), count + 1)
  })
}

test('a client that left while its handler went on for a while is one request that ended', async (t) => {
  const measuring = measured()
  const { server, telemetry, release, emitter, value } = measuring
  telemetry.boot()
  const { port } = await server.configure({ port: 0, drainTimeout: 0 }).listen({ signals: false })
  t.after(() => server.close())
  const client = await RawClient.connect(port)
  client.send('GET /stuck HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await waitFor('the request', () => value('http_requests_in_flight') === 1)
  const left = told(emitter, RequestEvents.Gone, 1)
  client.reset()
  await left
  release()
  await waitFor('the end', () => value('http_requests_in_flight') === 0)
  measuring.aheadMs = 300_000
  assert.equal(value('http_requests_in_flight'), 0)
  assert.equal(value('http_request_duration_seconds'), 1)
})

/** Resolves once an event was told so many times. */
function told(emitter: Emitter, event: typeof RequestEvents.Gone, times: number): Promise<void> {
  return new Promise((resolve) => {
    let left = times
    emitter.listen(event, () => {
      left -= 1
      if (left === 0) resolve()
    })
  })
}
