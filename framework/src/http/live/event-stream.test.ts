import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { Broadcast } from '../../broadcast/broadcast.ts'
import { Emitter } from '../../events/emitter.ts'
import * as Exporters from '../../metrics/exporters/exporters.ts'
import { Observability } from '../../metrics/observability.ts'
import { Compression } from '../middlewares/compression.ts'
import { RequestEvents } from '../request/request-events.ts'
import type { ServerOptions } from '../server/options.ts'
import { Server } from '../server/server.ts'
import type { EventStream } from './event-stream.ts'

function serverFor(t: TestContext, options: ServerOptions = {}): Server {
  const server = new Server({ environment: Environments.Test, emitter: new Emitter() })
  t.after(() => server.close())
  return server.configure(options)
}

const url = '/events'
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The events in a body, without what is not an event. */
function eventsIn(text: string): string[] {
  return text.split('\n\n').filter((block) => block.includes('data: '))
}

test('events are sent as JSON with name and id, after the time to reconnect', async (t) => {
  const server = serverFor(t)
  server.router.get(url, (_request, response) => {
    const events = response.events<{ added: { title: string }; message: bigint }>(null, {
      retry: 5,
    })
    events.send('added', { title: 'two\nlines' }, { id: 'a1' })
    events.send('message', 7n)
    events.comment('one\r\ntwo')
    events.end()
    return events
  })
  const { status, headers, text } = await server.inject({ url })
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store, no-transform')
  assert.equal(headers['x-accel-buffering'], 'no')
  assert.equal(
    text,
    'retry: 5000\n\n' +
      'id: a1\nevent: added\ndata: {"title":"two\\nlines"}\n\n' +
      'data: "7"\n\n' +
      ': one\n: two\n\n',
  )
})

test('a test leaves a stream once it has seen enough, and the stream is over', async (t) => {
  const server = serverFor(t)
  const broadcast = new Broadcast<{ notes: { added: string } }>()
  t.after(() => broadcast.close())
  let closed = 0
  server.router.get(url, (_request, response) => {
    const events = response.events(broadcast.channel('notes'))
    events.once('close', () => (closed += 1))
    return events
  })
  const position = await broadcast.position()
  for (const note of ['one', 'two', 'three']) await broadcast.publish('notes', 'added', note)
  const { status, text } = await server.inject({
    url,
    headers: { 'last-event-id': position },
    until: (body) => body.includes('"two"'),
  })
  assert.equal(status, 200)
  assert.match(text, /event: added\ndata: "one"/)
  assert.equal(closed, 1)
})

test('the response may be returned instead of the stream, and is never compressed', async (t) => {
  const server = serverFor(t).use(new Compression({ threshold: 0 }))
  server.router.get(url, (_request, response) => {
    const events = response.events()
    events.send('x', 'y'.repeat(10_000))
    events.end()
    return response
  })
  const { headers, text } = await server.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
  assert.equal(headers['content-encoding'], undefined)
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(eventsIn(text).length, 1)
})

test('names and ids that would break the stream are refused', async (t) => {
  const server = serverFor(t)
  server.router.get(url, (_request, response) => {
    const events = response.events()
    for (const name of ['', 'a\nb', 'reset', 'error']) {
      assert.throws(() => events.send(name, 1), { code: 'E_INVALID_ARGUMENT' })
    }
    for (const id of ['', 'a\nb', 'a\0']) {
      assert.throws(() => events.send('x', 1, { id }), { code: 'E_INVALID_ARGUMENT' })
    }
    events.end()
    return events
  })
  assert.equal((await server.inject({ url })).status, 200)
})

test('the last id of the client is known, and HEAD opens nothing', async (t) => {
  const server = serverFor(t, { eventStreams: 1 })
  const lastIds: (string | null)[] = []
  server.router.get(url, (_request, response) => {
    const events = response.events()
    lastIds.push(events.lastId)
    events.end()
    return events
  })
  await server.inject({ url, headers: { 'last-event-id': 'a1' } })
  for (let at = 0; at < 3; at += 1) {
    const { status, text, headers } = await server.inject({ url, method: 'HEAD' })
    assert.deepEqual([status, text], [200, ''])
    assert.match(headers['content-type'] ?? '', /event-stream/)
  }
  await server.inject({ url })
  assert.deepEqual(lastIds, ['a1', null, null, null, null])
})

test('an asynchronous generator is sent until it ends; its error closes the connection', async (t) => {
  const server = serverFor(t)
  async function* count() {
    for (const data of [1, 2, 3]) yield { name: 'count' as const, data, id: String(data) }
  }
  server.router
    .get(url, (_request, response) => response.events(count()))
    .get('/broken', (_request, response) =>
      response.events(
        (async function* () {
          yield { name: 'count' as const, data: 1 }
          throw new Error('broken')
        })(),
      ),
    )
  assert.deepEqual(eventsIn((await server.inject({ url })).text), [
    'id: 1\nevent: count\ndata: 1',
    'id: 2\nevent: count\ndata: 2',
    'id: 3\nevent: count\ndata: 3',
  ])
  await assert.rejects(server.inject({ url: '/broken' }), /closed before/)
})

interface Live {
  readonly server: Server
  readonly broadcast: Broadcast
  /** The streams that were opened. */
  readonly streams: EventStream[]
}

/** A server with a channel. */
function live(t: TestContext, options: ServerOptions = {}): Live {
  const server = serverFor(t, options)
  const broadcast = new Broadcast({ maxEvents: 3 })
  const streams: EventStream[] = []
  server.router.get(url, (request, response) => {
    const events: EventStream = response.events(broadcast.channel('notes'), {
      retry: 1,
      after: request.query['after'] ?? null,
    })
    streams.push(events)
    return events
  })
  return { server, broadcast, streams }
}

test('a channel is sent from now on, and the client learns at once where it is', async (t) => {
  const { server, broadcast, streams } = live(t)
  const old = await broadcast.publish('notes', 'added', 0)
  const answer = server.inject({ url })
  await settled()
  await settled()
  const id = await broadcast.publish('notes', 'added', 1)
  await broadcast.publish('other', 'added', 2)
  streams[0]?.end()
  assert.equal(
    (await answer).text,
    `retry: 1000\n\nid: ${old}\n\nid: ${id}\nevent: added\ndata: 1\n\n`,
  )
})

test('a client that reconnects gets what it missed, or a reset if that is gone', async (t) => {
  const { server, broadcast, streams } = live(t)
  const ids: string[] = []
  for (const data of [1, 2, 3, 4]) ids.push(await broadcast.publish('notes', 'added', data))
  const ask = async (id = ''): Promise<string[]> => {
    const answer = server.inject({ url, headers: { 'last-event-id': id } })
    await settled()
    await settled()
    streams.at(-1)?.end()
    return (await answer).text.split('\n\n').slice(1, -1)
  }
  const after2 = await ask(ids[1])
  assert.deepEqual(after2, [
    `id: ${ids[1]}`,
    `id: ${ids[2]}\nevent: added\ndata: 3`,
    `id: ${ids[3]}\nevent: added\ndata: 4`,
  ])
  assert.deepEqual(await ask(ids[0]), [
    `id: ${ids[0]}`,
    `id: ${ids[1]}\nevent: added\ndata: 2`,
    `id: ${ids[2]}\nevent: added\ndata: 3`,
    `id: ${ids[3]}\nevent: added\ndata: 4`,
  ])
  for (const id of ['5-5', 'x']) {
    assert.deepEqual(await ask(id), [`id: ${ids[3]}\nevent: reset\ndata: {}`])
  }
})

test('a page says up to where it shows everything, unless the client knows better', async (t) => {
  const { server, broadcast, streams } = live(t)
  const shown = await broadcast.position()
  const first = await broadcast.publish('notes', 'added', 1)
  const ask = async (headers: Record<string, string>): Promise<number> => {
    const answer = server.inject({ url: `${url}?after=${shown}`, headers })
    await settled()
    await settled()
    streams.at(-1)?.end()
    return eventsIn((await answer).text).length
  }
  assert.equal(await ask({}), 1)
  assert.equal(await ask({ 'last-event-id': first }), 0)
})

test('too many streams are refused, of one client sooner, and a place is free again', async (t) => {
  const { server, streams } = live(t, { eventStreams: 3, eventStreamsPerPeer: 2 })
  const open = (address: string): Promise<{ status: number }> => server.inject({ url, address })
  const answers = [open('192.0.2.1'), open('192.0.2.1')]
  const refused = await server.inject({ url, address: '192.0.2.1' })
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '10'])
  assert.equal(refused.headers['content-type']?.includes('event-stream'), false)
  answers.push(open('2001:db8::1'))
  assert.equal((await open('2001:db8:1::2')).status, 503)
  streams[0]?.end()
  await answers[0]
  answers.push(open('192.0.2.1'))
  assert.equal(streams.length, 4)
  await server.close()
  for (const { status } of await Promise.all(answers)) assert.equal(status, 200)
})

test('a stream of an IPv6 client counts in its /64, /56 and /48, as for a rate limit', async (t) => {
  for (const [places, address] of [
    [1, (at: number) => `2001:db8:0:1::${at.toString(16)}`],
    [4, (at: number) => `2001:db8:0:${at.toString(16)}::1`],
    [16, (at: number) => `2001:db8:0:${(at * 0x100).toString(16)}::1`],
  ] as const) {
    const { server, streams } = live(t, { eventStreamsPerPeer: 1 })
    const open = (at: number): Promise<{ status: number }> =>
      server.inject({ url, address: address(at) })
    const answers = Array.from({ length: places }, (_, at) => open(at + 1))
    const refused = open(places + 1)
    await settled()
    assert.equal(streams.length, places)
    assert.equal((await refused).status, 429)
    // A stream that ends gives back all its places.
    streams[0]?.end()
    await answers[0]
    answers.push(open(places + 1))
    await settled()
    assert.equal(streams.length, places + 1)
    await server.close()
    for (const { status } of await Promise.all(answers)) assert.equal(status, 200)
  }
})

test('a request is handled when its stream begins, and open streams have a gauge', async (t) => {
  const emitter = new Emitter()
  const server = new Server({ environment: Environments.Test, emitter })
  t.after(() => server.close())
  const registry = new Observability(false)
  const former = Observability.Instance
  Observability.Instance = registry
  t.after(() => (Observability.Instance = former))
  const handled: number[] = []
  emitter.listen(RequestEvents.Handled, (_request, response) => handled.push(response.code))
  const streams: EventStream[] = []
  server.router.get(url, (_request, response) => {
    streams.push(response.events())
    return response
  })
  const shown = (): string => registry.export(new Exporters.Prometheus())
  const answer = server.inject({ url })
  await settled()
  await settled()
  assert.deepEqual(handled, [200])
  assert.match(shown(), /^event_streams_open 1$/m)
  streams[0]?.send('x', 1)
  streams[0]?.end()
  await answer
  await settled()
  assert.deepEqual(handled, [200], 'once')
  assert.match(shown(), /^event_streams_open 0$/m)
  assert.match(shown(), /^event_streams_ended_total\{reason="handler"\} 1$/m)
  assert.match(shown(), /^event_stream_events_total 1$/m)
})

test('a stream ends when it is as old as it may get', async (t) => {
  const server = serverFor(t, { eventHeartbeat: 0.02 })
  server.router.get(url, (_request, response) => response.events(null, { lifetime: 0.05 }))
  assert.match((await server.inject({ url })).text, /^retry: \d+\n\n(?::\n\n)*$/)
})

test('invalid options are refused', async (t) => {
  assert.throws(() => serverFor(t, { eventHeartbeat: 0 }), { code: 'E_INVALID_ARGUMENT' })
  assert.throws(() => serverFor(t, { eventStreams: -1 }), { code: 'E_INVALID_ARGUMENT' })
  const server = serverFor(t)
  server.router.get(url, (_request, response) => response.events(null, { retry: -1 }))
  assert.equal((await server.inject({ url })).status, 500)
})
