import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { createThrowables } from '../base/debugging/throwables.ts'
import { Emitter } from '../services/events/emitter.ts'
import { Observability } from '../services/observability/observability.ts'
import { RawClient, exchange } from '../../tests/support/raw-client.ts'
import { waitFor } from '../../tests/support/wait-for.ts'
import { Server } from './server/server.ts'
import { Telemetry } from './telemetry.ts'

interface Measured {
  readonly server: Server
  readonly telemetry: Telemetry
  /** The value of a series, by its name and, for answers, the class. */
  readonly value: (name: string, label?: string) => number | undefined
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
  return {
    server,
    telemetry: new Telemetry(observability, { emitter }),
    value(name, label) {
      const series = observability.gather().metrics[name]?.series ?? []
      const found = series.find(({ labels }) => label === undefined || labels['class'] === label)
      if (found === undefined) return undefined
      return 'value' in found ? found.value : found.count
    },
  }
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

test('after stop nothing more is counted', async () => {
  const { server, telemetry, value } = measured()
  telemetry.boot()
  await server.inject({ url: '/' })
  telemetry.stop()
  await server.inject({ url: '/' })
  assert.equal(value('http_requests_total'), 1)
})

test('a client that went away counts in total and duration, in no class', async (t) => {
  const { server, telemetry, value } = measured()
  telemetry.boot()
  const { port } = await server.configure({ port: 0, patience: 0 }).listen({ signals: false })
  t.after(() => server.close())
  const client = await RawClient.connect(port)
  client.send('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await waitFor('the request', () => value('http_requests_in_flight') === 1)
  client.reset()
  await waitFor('the end of the request', () => value('http_requests_in_flight') === 0)
  assert.equal(value('http_requests_total'), 1)
  assert.equal(value('http_request_duration_seconds'), 1)
  for (const label of ['2xx', '5xx']) assert.equal(value('http_responses_total', label), 0)
})

test('the last answer of a connection has its class, whole or streamed', async (t) => {
  const { server, telemetry, value } = measured()
  telemetry.boot()
  const { port } = await server.configure({ port: 0, patience: 0 }).listen({ signals: false })
  t.after(() => server.close())
  for (const path of ['/', '/stream']) {
    await exchange(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  }
  await waitFor('both to be over', () => value('http_requests_in_flight') === 0)
  assert.equal(value('http_responses_total', '2xx'), 2)
})
