import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Broadcast } from '../../src/broadcast/broadcast.ts'
import * as Exporters from '../../src/metrics/exporters/exporters.ts'
import { Observability } from '../../src/metrics/observability.ts'
import type { EventStream } from '../../src/http/live/event-stream.ts'
import type { ServerOptions } from '../../src/http/server/options.ts'
import { testBrowser } from '../support/browser.ts'
import { EventClient } from '../support/event-client.ts'
import { RawClient } from '../support/raw-client.ts'
import { assertHealthy, serve } from '../support/serve.ts'
import type { Served } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const browser = testBrowser()
const get = (target: string, version = '1.1'): string =>
  `GET ${target} HTTP/${version}\r\nHost: localhost\r\n\r\n`

interface Live extends Served {
  readonly broadcast: Broadcast
  /** Those that were opened. */
  readonly streams: readonly EventStream[]
  /** The value of a series of the metrics. */
  readonly metric: (series: string) => number
}

/** A server with the events of one channel. */
async function live(t: TestContext, options: ServerOptions = {}): Promise<Live> {
  const registry = new Observability(false)
  const former = Observability.Instance
  Observability.Instance = registry
  t.after(() => (Observability.Instance = former))
  const broadcast = new Broadcast()
  const streams: EventStream[] = []
  const served = await serve(
    t,
    (server) => {
      server.router
        .get('/', (_request, response) => response.html('<title>Live</title>'))
        .get('/events', (_request, response) => {
          streams.push(response.events(broadcast.channel('notes'), { retry: 0.05 }))
          return response
        })
    },
    options,
  )
  const metric = (series: string): number => {
    const lines = registry.export(new Exporters.Prometheus()).split('\n')
    return Number(lines.find((line) => line.startsWith(`${series} `))?.split(' ')[1])
  }
  return { ...served, broadcast, streams, metric }
}

test('a stream of events ends its connection, and a client of HTTP/1.0 gets it too', async (t) => {
  const { port, broadcast, server, reported, handled } = await live(t)
  const clients = await Promise.all([RawClient.connect(port), RawClient.connect(port)])
  const [modern, old] = clients
  assert.ok(modern !== undefined && old !== undefined)
  modern.send(get('/events'))
  old.send(get('/events', '1.0'))
  for (const client of clients) await client.until('id: ')
  assert.match(modern.received, /^connection: close\r$/im)
  assert.match(modern.received, /^transfer-encoding: chunked\r$/im)
  assert.deepEqual(handled, ['/events', '/events'], 'handled while they are open')
  await broadcast.publish('notes', 'added', 'é')
  for (const client of clients) await client.until('event: added')
  const closing = server.close()
  assert.match(await modern.ended(), /\r\n0\r\n\r\n$/, 'complete')
  await old.ended()
  await closing
  assert.deepEqual(reported, [])
})

test('a server with a long drain is not held by open streams', async (t) => {
  const { port, server, metric } = await live(t, { drainTimeout: 3_600 })
  const clients = await Promise.all(Array.from({ length: 20 }, () => RawClient.connect(port)))
  for (const client of clients) client.send(get('/events'))
  for (const client of clients) await client.until('id: ')
  assert.equal(metric('event_streams_open'), 20)
  await server.close()
  await Promise.all(clients.map((client) => client.ended()))
  assert.equal(metric('event_streams_ended_total{reason="drain"}'), 20)
})

test('a client that does not read does not hold a drain either', async (t) => {
  const { port, server, broadcast, streams, metric } = await live(t, { drainTimeout: 3_600 })
  const client = await RawClient.connect(port)
  await client.send(get('/events')).until('id: ')
  client.socket.pause()
  await waitFor('a full connection', async () => {
    await broadcast.publish('notes', 'added', 'x'.repeat(60_000))
    return (streams[0]?.readableLength ?? 0) > 0
  })
  await server.close()
  await waitFor('its end', () => metric('event_streams_ended_total{reason="drain"}') === 1)
  client.leave()
})

test('a silent stream sends comments, or the latest id of the broadcast', async (t) => {
  const { port, broadcast } = await live(t, { eventHeartbeat: 0.02 })
  const client = await RawClient.connect(port)
  await client.send(get('/events')).until('\n:\n\n')
  const id = await broadcast.publish('other', 'added', 1)
  await client.until(`id: ${id}\n\n`)
  client.leave()
})

test('a client that leaves gives its place back', async (t) => {
  const { port, metric, reported } = await live(t, { eventStreamsPerPeer: 1 })
  const first = await RawClient.connect(port)
  await first.send(get('/events')).until('id: ')
  const second = await RawClient.connect(port)
  assert.match(await second.send(get('/events')).until('\r\n\r\n'), /^HTTP\/1.1 429 /)
  assert.equal(metric('event_streams_refused_total{limit="peer"}'), 1)
  first.reset()
  await waitFor('the place', () => metric('event_streams_open') === 0)
  assert.equal(metric('event_streams_ended_total{reason="client"}'), 1)
  const third = await RawClient.connect(port)
  assert.match(await third.send(get('/events')).until('id: '), /^HTTP\/1.1 200 /)
  assert.deepEqual(reported, [])
  third.leave()
})

test('a client that does not read is disconnected, and others are not affected', async (t) => {
  const { port, broadcast, metric, reported } = await live(t, { limits: { eventBacklog: 100_000 } })
  const slow = await RawClient.connect(port)
  await slow.send(get('/events')).until('id: ')
  slow.socket.pause()
  const reader = new EventClient(`http://127.0.0.1:${port}/events`)
  t.after(() => reader.close())
  await waitFor('the reader', () => reader.isReady)
  const slowOnes = (): number => metric('event_streams_ended_total{reason="slow"}')
  let sent = 0
  // The operating system takes some megabytes before the server notices anything.
  await waitFor('the end of the slow one', async () => {
    await broadcast.publish('notes', 'added', 'x'.repeat(60_000))
    sent += 1
    return slowOnes() === 1
  })
  await waitFor('all events', () => reader.events.length === sent)
  assert.equal(reader.connections, 1)
  assert.equal(metric('event_streams_open'), 1)
  assert.deepEqual(reported, [], 'it is no error of ours')
  await assertHealthy(port)
  slow.leave()
})

test(
  'a browser gets events, and reconnects with its last id',
  { skip: browser.skip },
  async (t) => {
    const { port, broadcast, streams } = await live(t)
    const page = await (await browser.context()).newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.evaluate(() => {
      const seen: string[] = []
      const source = new EventSource('/events')
      const note = (event: Event): void =>
        void seen.push(event.type + String(Reflect.get(event, 'data')))
      for (const type of ['added', 'reset', 'message']) source.addEventListener(type, note)
      Object.assign(globalThis, { seen, source })
    })
    const seen = (): Promise<unknown> => page.evaluate(() => Reflect.get(globalThis, 'seen'))
    await waitFor('the browser', () => streams.length === 1)
    const id = await broadcast.publish('notes', 'added', 1)
    await waitFor('the first event', async () => String(await seen()) === 'added1')
    streams[0]?.end()
    await broadcast.publish('notes', 'added', 2)
    await broadcast.publish('notes', 'added', 3)
    await waitFor('what it missed', async () => String(await seen()) === 'added1,added2,added3')
    assert.deepEqual(
      streams.map(({ lastId }) => lastId),
      [null, id],
    )
  },
)
