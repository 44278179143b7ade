import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { keepAlivePost } from './keep-alive-post.ts'
import type { CollectorPost } from './post-request.ts'

async function collector(t: TestContext, listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return new URL(`http://127.0.0.1:${address.port}/v1/traces`)
}

const sent: Parameters<CollectorPost>[1] = {
  method: 'POST',
  headers: [],
  body: Buffer.from('{}'),
  redirect: 'manual',
  signal: null,
}

test('posts that follow each other share a connection', async (t) => {
  const ports = new Set<number | undefined>()
  const url = await collector(t, (request, response) => {
    ports.add(request.socket.remotePort)
    response.end()
  })
  const post = keepAlivePost()
  for (let count = 0; count < 3; count += 1) {
    const { status, body } = await post(url, sent)
    assert.equal(status, 200)
    for await (const chunk of body ?? []) void chunk
  }
  assert.equal(ports.size, 1)
})

test('a collector that breaks off its response ends no process', async (t) => {
  const url = await collector(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half')
    setImmediate(() => response.destroy())
  })
  const uncaught: unknown[] = []
  const note = (error: unknown): void => void uncaught.push(error)
  process.on('uncaughtException', note)
  t.after(() => process.off('uncaughtException', note))
  assert.equal((await keepAlivePost()(url, sent)).status, 200)
  const abort = new AbortController()
  const late = await keepAlivePost()(url, { ...sent, signal: abort.signal })
  abort.abort()
  assert.equal(late.status, 200)
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  assert.deepEqual(uncaught, [])
})

test(
  'a collector that hangs up without a response is an error of the post',
  { timeout: 20_000 },
  async (t) => {
    const url = await collector(t, (request) => void request.socket.destroy())
    await assert.rejects(keepAlivePost()(url, sent), { code: 'ECONNRESET' })
  },
)
