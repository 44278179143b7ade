import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
} from 'node:tls'
import { gunzipSync } from 'node:zlib'
import { selfSigned } from '../base/tls/self-signed.ts'
import { answer, startCollector } from '../../tests/support/fake-collector.ts'
import { receiverAt } from './receiver.ts'
import { Compressions, createShipRequest, httpPost, postRequest } from './post.ts'
import type { CollectorResponse, NoResponse, Post, PostOptions } from './post.ts'

const receiver = receiverAt('http://host', { 'x-key': 'k' })

test('the body is plain JSON by default', async () => {
  const { headers, body } = await createShipRequest(receiver, '{"ü":1}', Compressions.None)
  assert.equal(body.toString(), '{"ü":1}')
  assert.deepEqual(headers, [
    ['x-key', 'k'],
    ['content-type', 'application/json'],
  ])
})

test('a compressed request names its encoding', async () => {
  const { headers, body } = await createShipRequest(receiver, '{"ü":1}', Compressions.Gzip)
  assert.equal(gunzipSync(body).toString(), '{"ü":1}')
  assert.deepEqual(headers, [
    ['x-key', 'k'],
    ['content-type', 'application/json'],
    ['content-encoding', 'gzip'],
  ])
})

test('only the start of an endless response is read', async () => {
  let chunks = 0
  const endless = new ReadableStream({
    pull(controller) {
      chunks += 1
      controller.enqueue(new Uint8Array(16_384).fill(0x61))
    },
  })
  const request = await createShipRequest(receiver, '{}', Compressions.None)
  const response = await postRequest(request, {
    timeoutMs: 0,
    fetch: async () => new Response(endless),
  })
  assert.ok('text' in response)
  assert.equal(response.text.length, 65_536)
  assert.ok(chunks < 10)
})

test('an interrupted response keeps its status', async () => {
  const broken = new ReadableStream({
    start: (controller) => controller.error(new Error('socket hang up')),
  })
  const request = await createShipRequest(receiver, '{}', Compressions.None)
  const post = async (): Promise<Response> => new Response(broken, { status: 202 })
  const response = await postRequest(request, { timeoutMs: 0, fetch: post })
  assert.ok('status' in response)
  assert.deepEqual([response.status, response.text], [202, ''])
  assert.deepEqual([response.header('retry-after'), response.header('content-type')], [null, null])
})

test('of several failed addresses the first error is reported', async () => {
  const request = await createShipRequest(receiver, '{}', Compressions.None)
  const cause = new AggregateError([new Error('connect ECONNREFUSED ::1'), new Error('other')])
  const post = async (): Promise<never> => {
    throw new TypeError('fetch failed', { cause })
  }
  const noResponse = await postRequest(request, { timeoutMs: 0, fetch: post })
  assert.deepEqual(noResponse, { reason: 'connect ECONNREFUSED ::1' })
})

test('any thrown value is reported', async () => {
  const request = await createShipRequest(receiver, '{}', Compressions.None)
  const cyclic = new Error('round')
  cyclic.cause = cyclic
  for (const [thrown, reason] of [
    [cyclic, 'round'],
    [new AggregateError([]), 'AggregateError'],
    ['a text', 'thrown value is not an Error: a text'],
  ] as const) {
    const post = (): Promise<never> => Promise.reject(thrown)
    const noResponse = await postRequest(request, { timeoutMs: 0, fetch: post })
    assert.deepEqual(noResponse, { reason })
  }
})

const sent: Parameters<Post>[1] = {
  method: 'POST',
  headers: [['x-key', 'value']],
  body: Buffer.from('{"ü":1}'),
  redirect: 'manual',
  signal: new AbortController().signal,
}

/** A server that does with each connection what the test says. */
async function peer(t: TestContext, serve: (socket: Socket) => void): Promise<URL> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    serve(socket)
  }).listen(0, '127.0.0.1')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return new URL(`http://127.0.0.1:${address.port}/?a=b`)
}

/** What comes of one post over a real connection, 20 seconds at most. */
function post(
  url: URL,
  options: Partial<PostOptions> = {},
  body = sent.body,
): Promise<CollectorResponse | NoResponse> {
  const request = { receiver: receiverAt(url.href, {}, ''), headers: [], body }
  return postRequest(request, { timeoutMs: 20_000, ...options })
}

function statusOf(response: CollectorResponse | NoResponse): number | string {
  return 'status' in response ? response.status : response.reason
}

const ok = 'HTTP/1.1 200 OK\r\nretry-after: 7\r\ncontent-length: 2\r\n\r\n{}'

test('a post arrives whole, and its response comes back', async (t) => {
  const collector = await startCollector(t, answer(202, { 'x-a': 'b' }, '{"c":1}'))
  const body = Buffer.alloc(3_000_000, 'x')
  const url = new URL(`${collector.url}/v1/traces?a=b`)
  const response = await httpPost(url, { ...sent, body })
  assert.equal(response.status, 202)
  assert.equal(response.headers.get('x-a'), 'b')
  assert.equal(response.headers.get('x-b'), null)
  assert.equal(response.body === null ? '' : await text(response.body), '{"c":1}')
  const [post] = collector.posts
  assert.equal(post?.method, 'POST')
  assert.equal(post?.target, '/v1/traces?a=b')
  assert.equal(post?.headers['x-key'], 'value')
  assert.equal(post?.headers.host, url.host)
  assert.equal(post?.headers['content-length'], '3000000')
  assert.ok(post?.body.equals(body))
})

test('posts that follow each other share a connection, until it is closed', async (t) => {
  const sockets: Socket[] = []
  const url = await peer(t, (socket) => {
    sockets.push(socket)
    socket.on('data', () => socket.write(ok))
  })
  for (let count = 0; count < 3; count += 1) assert.equal(statusOf(await post(url)), 200)
  assert.equal(sockets.length, 1)
  const [socket] = sockets
  const closed = socket === undefined ? [] : once(socket, 'close')
  socket?.end()
  await closed
  assert.equal(statusOf(await post(url)), 200)
  assert.equal(sockets.length, 2)
})

test('a connection is not used again if something came that belongs to no post', async (t) => {
  let connections = 0
  const url = await peer(t, (socket) => {
    connections += 1
    socket.on('data', () => socket.write(`${ok}HTTP/1.1 500 Late\r\n\r\n`))
  })
  assert.equal(statusOf(await post(url)), 200)
  assert.equal(statusOf(await post(url)), 200)
  assert.equal(connections, 2)
})

test('a response before the end of the request counts, and the next post gets through', async (t) => {
  let connections = 0
  const url = await peer(t, (socket) => {
    connections += 1
    // It reads nothing.
    if (connections === 1) socket.write(ok)
    else socket.on('data', () => socket.write(ok))
  })
  assert.equal(statusOf(await post(url, {}, Buffer.alloc(50_000_000, 'x'))), 200)
  assert.equal(statusOf(await post(url)), 200)
  assert.equal(connections, 2)
})

for (const { what, serve, reason } of [
  { what: 'hangs up', serve: (socket: Socket) => void socket.end(), reason: /hang up|RESET|EPIPE/ },
  {
    what: 'resets the connection',
    serve: (socket: Socket) => void socket.resetAndDestroy(),
    reason: /hang up|RESET|EPIPE/,
  },
  {
    what: 'speaks another protocol',
    serve: (socket: Socket) => void socket.write('SSH-2.0-x\r\n\r\n'),
    reason: /Parse Error/,
  },
  {
    what: 'sends headers without end',
    serve: (socket: Socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}`),
    reason: /Header overflow/i,
  },
  {
    what: 'never answers',
    serve: (socket: Socket) => void socket.resume(),
    reason: /^no answer in 50 ms$/,
  },
]) {
  test(`a collector that ${what} is the reason of the post, and no error elsewhere`, async (t) => {
    const url = await peer(t, serve)
    const timeoutMs = what === 'never answers' ? 50 : 20_000
    for (let count = 0; count < 2; count += 1) {
      assert.match(String(statusOf(await post(url, { timeoutMs }))), reason)
    }
  })
}

test('of a body without end only the start is read', async (t) => {
  for (const head of ['', 'content-length: 9999999999\r\n']) {
    const url = await peer(t, (socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n${'x'.repeat(70_000)}`))
    })
    const response = await post(url)
    assert.ok('text' in response)
    assert.deepEqual([response.status, response.text], [200, 'x'.repeat(65_536)])
  }
})

test('a response that breaks off keeps its status', async (t) => {
  const url = await peer(t, (socket) => {
    socket.once('data', () =>
      socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 9\r\n\r\nhalf'),
    )
  })
  const response = await post(url)
  assert.ok('text' in response)
  assert.deepEqual([response.status, response.text], [400, 'half'])
})

test('a collector that is not there is the reason of the post', async () => {
  assert.match(String(statusOf(await post(new URL('http://127.0.0.1:1')))), /ECONNREFUSED/)
})

test('a collector behind TLS must have a certificate that the process trusts', async (t) => {
  const { cert, key } = selfSigned()
  const server = createTlsServer({ cert, key }, (socket) => {
    socket.on('data', () => socket.write(ok)).on('error', () => {})
  }).listen(0, '127.0.0.1')
  t.after(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const url = new URL(`https://localhost:${address.port}/v1/traces`)
  assert.match(String(statusOf(await post(url))), /self-signed certificate/)
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, cert])
  t.after(() => setDefaultCACertificates(trusted))
  assert.equal(statusOf(await post(url)), 200)
  assert.equal(statusOf(await post(url)), 200)
})

test('nothing is posted after the signal fired', async (t) => {
  let connections = 0
  const url = await peer(t, () => void (connections += 1))
  const signal = AbortSignal.abort(new Error('the process ends'))
  assert.equal(statusOf(await post(url, { abandoned: signal })), 'the process ends')
  assert.equal(connections, 0)
})

test('the signal ends a post that waits', async (t) => {
  const ending = new AbortController()
  const url = await peer(t, (socket) => {
    socket.once('data', () => ending.abort(new Error('the process ends'))).resume()
  })
  assert.equal(statusOf(await post(url, { abandoned: ending.signal })), 'the process ends')
})
