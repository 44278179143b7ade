import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Server } from '../../src/http/server/server.ts'
import { rawAnswer, rawAnswers } from '../support/raw-answer.ts'
import { RawClient } from '../support/raw-client.ts'
import { serve } from '../support/serve.ts'
import type { Served } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const host = 'Host: localhost\r\n'
const get = (target: string): string => `GET ${target} HTTP/1.1\r\n${host}\r\n`

interface Gated extends Served {
  /** Targets of the requests that reached a handler. */
  readonly began: readonly string[]
  /** Lets the requests for /gate continue. */
  readonly open: () => void
}

/** A server on which /now responds at once, and /gate when the gate is opened. */
async function serveGated(t: TestContext, drainTimeout = 3_600): Promise<Gated> {
  const gate = Promise.withResolvers<void>()
  const began: string[] = []
  const served = await serve(
    t,
    (server) => {
      server.router.get('/now', (_request, response) => response.text('now'))
      server.router.any('/gate/:name', async (request, response) => {
        began.push(request.URI)
        await gate.promise
        return response.text(`${request.params.name} ${await request.text()}`)
      })
    },
    { drainTimeout },
  )
  return { ...served, began, open: () => gate.resolve() }
}

test('close finishes requests in flight with Connection: close, and then resolves', async (t) => {
  const { port, server, began, open } = await serveGated(t)
  const clients = await Promise.all(Array.from({ length: 5 }, () => RawClient.connect(port)))
  for (const client of clients) client.send(get('/gate/a'))
  await waitFor('all requests', () => began.length === 5)
  let closed = false
  const closing = server.close().then(() => (closed = true))
  await assert.rejects(RawClient.connect(port), { code: 'ECONNREFUSED' })
  assert.equal(closed, false)
  open()
  for (const client of clients) {
    const answer = rawAnswer(await client.ended())
    assert.deepEqual([answer.status, answer.header('connection')], [200, 'close'])
  }
  await closing
})

test('an idle connection that sends a request just after close is still answered', async (t) => {
  const { port, server } = await serveGated(t)
  const client = await RawClient.connect(port)
  await client.send(get('/now')).until('now')
  const closing = server.close()
  const [, late] = rawAnswers(await client.send(get('/now')).ended())
  assert.deepEqual([late?.status, late?.header('connection')], [200, 'close'])
  await closing
})

test('a request whose body arrives while the server closes is answered', async (t) => {
  const { port, server, began, open } = await serveGated(t)
  open()
  const client = await RawClient.connect(port)
  client.send(`POST /gate/a HTTP/1.1\r\n${host}Content-Length: 6\r\n\r\nabc`)
  await waitFor('the request', () => began.length === 1)
  const closing = server.close()
  assert.equal(rawAnswer(await client.send('def').ended()).body, 'a abcdef')
  await closing
})

test('requests pipelined before close are all answered', async (t) => {
  const { port, server, began, open } = await serveGated(t)
  const client = await RawClient.connect(port)
  client.send(get('/gate/a') + get('/now') + get('/gate/b'))
  await waitFor('both slow requests', () => began.length === 2)
  const closing = server.close()
  open()
  const answers = rawAnswers(await client.ended())
  assert.deepEqual(
    answers.map((answer) => [answer.body, answer.header('connection')]),
    [
      ['a ', undefined],
      ['now', undefined],
      ['b ', 'close'],
    ],
  )
  await closing
})

test('idle connections, and those that never sent anything, do not delay close', async (t) => {
  const { port, server } = await serveGated(t)
  const idle = await RawClient.connect(port)
  const silent = await RawClient.connect(port)
  await idle.send(get('/now')).until('now')
  let closed = false
  void server.close().then(() => (closed = true))
  await waitFor('the server to close', () => closed)
  await waitFor('the end of both', () => idle.socket.readableEnded && silent.socket.readableEnded)
})

test('a client that is still reading a large response is not idle', async (t) => {
  const large = 'x'.repeat(30_000_000)
  const { port, server } = await serve(
    t,
    ({ router }) => router.get('/', (_request, response) => response.text(large)),
    { drainTimeout: 3_600 },
  )
  const reader = (await RawClient.connect(port)).send(get('/'))
  await reader.until('xxx')
  reader.socket.pause()
  const idle = (await RawClient.connect(port)).send(get('/health'))
  await idle.until('ok')
  const closing = server.close()
  // By then the server has closed all idle connections.
  await idle.ended()
  assert.equal(reader.closed, false)
  reader.socket.resume()
  assert.equal(rawAnswer(await reader.ended()).body.length, large.length)
  await closing
})

test('requests that exceed the drain timeout are cut, and the log says how many', async () => {
  const logged: unknown[] = []
  const server = new Server({ log: (message, context) => logged.push([message, context]) })
  server.configure({ port: 0, drainTimeout: 0.2 })
  const signals: AbortSignal[] = []
  server.router.get('/', async (request, response) => {
    signals.push(request.signal)
    await once(request.signal, 'abort')
    return response.text('too late')
  })
  const { port } = await server.listen({ signals: false })
  const client = (await RawClient.connect(port)).send(get('/'))
  await waitFor('the request', () => signals.length === 1)
  await server.close()
  assert.equal(await client.ended(), '')
  await waitFor('the abort', () => signals[0]?.aborted)
  assert.deepEqual(logged, [['connections cut after waiting', { cut: 1, drainTimeout: 0.2 }]])
})

test('close may be called twice, and runs close hooks once, last added first', async (t) => {
  const { server } = await serveGated(t)
  const order: number[] = []
  server.onClose(() => order.push(1))
  server.onClose(() => sleep(5).then(() => order.push(2)))
  await Promise.all([server.close(), server.close()])
  await server.close()
  assert.deepEqual(order, [2, 1])
})
