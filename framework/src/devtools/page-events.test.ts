import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Emitter } from '../events/emitter.ts'
import * as Exporters from '../metrics/exporters/exporters.ts'
import { Observability } from '../metrics/observability.ts'
import { routeSet } from '../http/router/route-set.ts'
import { Worker } from '../http/server/fleet/worker-events.ts'
import { Server } from '../http/server/server.ts'
import { PageEvents } from './page-events.ts'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Site {
  readonly server: Server
  /** Ends with the events of each page that was opened. */
  readonly signals: AbortSignal[]
  /** What a server does when it starts to drain. */
  readonly drain: () => void
}

/** A server with one place for streams of the site, and a page that gets one event and then waits. */
function site(t: TestContext): Site {
  const emitter = new Emitter()
  const server = new Server({ environment: 'test', emitter })
  server.configure({ port: 0, drainTimeout: 30, eventStreams: 1 })
  const signals: AbortSignal[] = []
  async function* waiting(signal: AbortSignal) {
    signals.push(signal)
    yield { name: 'opened' as const, data: 1 }
    await new Promise(() => {})
  }
  const set = routeSet<unknown>('Page', (router, _services, host) => {
    const pages = new PageEvents(host)
    router.get('/page', (request, response) => pages.send(request, response, waiting))
  })
  server.mount([set], {})
  server.router.get('/site', (_request, response) => response.events())
  t.after(() => server.close())
  return { server, signals, drain: () => emitter.emit(Worker.Shutdown, { slot: 1, pid: 1 }) }
}

test('the events of our pages are a stream that ends when the server drains', async (t) => {
  const { server, signals, drain } = site(t)
  const answer = server.inject({ url: '/page' })
  await settled()
  assert.equal(signals[0]?.aborted, false)
  drain()
  const { status, headers, text } = await answer
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store, no-transform')
  assert.match(text, /event: opened\ndata: 1\n\n$/)
  assert.equal(signals[0]?.aborted, true)
  assert.equal((await server.inject({ url: '/page' })).status, 200, 'ends as soon as it has begun')
})

test('pages take no place of the site, which takes none of theirs, and their number is bounded', async (t) => {
  const { server, drain } = site(t)
  const former = Observability.Instance
  Observability.Instance = new Observability(false)
  t.after(() => (Observability.Instance = former))
  const pages = Array.from({ length: 50 }, () => server.inject({ url: '/page' }))
  await settled()
  assert.equal((await server.inject({ url: '/page' })).status, 503)
  const visitor = server.inject({ url: '/site' })
  await settled()
  await settled()
  assert.equal((await server.inject({ url: '/site' })).status, 503, 'the one place is taken')
  const shown = Observability.Instance.export(new Exporters.Prometheus())
  assert.match(shown, /^event_streams_open 1$/m, 'without the pages')
  drain()
  for (const { status } of await Promise.all(pages)) assert.equal(status, 200)
  await server.close()
  assert.equal((await visitor).status, 200)
})

test('an open page does not hold up a server that stops', async (t) => {
  const { server } = site(t)
  const { port } = await server.listen({ signals: false })
  const page = await fetch(`http://127.0.0.1:${port}/page`)
  const startMs = performance.now()
  await server.close()
  assert.ok(performance.now() - startMs < 15_000, 'long before the drain is over')
  assert.match(await page.text(), /event: opened/)
})
