import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
} from 'node:tls'
import { answer, startCollector } from '../../tests/support/fake-collector.ts'
import { waitFor } from '../../tests/support/wait-for.ts'
import { selfSigned } from '../base/tls/self-signed.ts'
import { CollectorConnection } from './collector-connection.ts'
import type { CollectorPost } from './post-request.ts'

const sent: Parameters<CollectorPost>[1] = {
  method: 'POST',
  headers: [['x-key', 'value']],
  body: Buffer.from('{"ü":1}'),
  redirect: 'manual',
  signal: null,
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
  return new URL(`http://127.0.0.1:${address.port}/v1/traces?a=b`)
}

function connection(t: TestContext, timeoutMs = 20_000): CollectorConnection {
  const created = new CollectorConnection(timeoutMs)
  t.after(() => created.close())
  return created
}

const ok = 'HTTP/1.1 200 OK\r\nretry-after: 7\r\ncontent-length: 2\r\n\r\n{}'

test('a post arrives whole, and its response comes back', async (t) => {
  const collector = await startCollector(t, answer(202, { 'x-a': 'b' }, '{"c":1}'))
  const body = Buffer.alloc(3_000_000, 'x')
  const url = new URL(`${collector.url}/v1/traces?a=b`)
  const response = await connection(t).post(url, { ...sent, body })
  assert.equal(response.status, 202)
  assert.equal(response.headers.get('x-a'), 'b')
  assert.equal(response.headers.get('x-b'), null)
  assert.ok(response.body instanceof Uint8Array)
  assert.equal(Buffer.from(response.body).toString(), '{"c":1}')
  const [post] = collector.posts
  assert.equal(post?.target, '/v1/traces?a=b')
  assert.equal(post?.headers['x-key'], 'value')
  assert.equal(post?.headers.host, url.host)
  assert.ok(post?.body.equals(body))
})

test('posts that follow each other share a connection, until it is closed', async (t) => {
  const sockets: Socket[] = []
  const url = await peer(t, (socket) => {
    sockets.push(socket)
    socket.on('data', () => socket.write(ok))
  })
  const { post } = connection(t)
  for (let count = 0; count < 3; count += 1) assert.equal((await post(url, sent)).status, 200)
  assert.equal(sockets.length, 1)
  const [socket] = sockets
  const closed = socket === undefined ? [] : once(socket, 'close')
  socket?.end()
  await closed
  await waitFor('a new connection', async () => {
    await post(url, sent).catch(() => null)
    return sockets.length === 2
  })
})

test('a connection is not used again if something came that belongs to no post', async (t) => {
  let connections = 0
  const url = await peer(t, (socket) => {
    connections += 1
    socket.on('data', () => socket.write(`${ok}HTTP/1.1 500 Late\r\n\r\n`))
  })
  const { post } = connection(t)
  assert.equal((await post(url, sent)).status, 200)
  assert.equal((await post(url, sent)).status, 200)
  assert.equal(connections, 2)
})

test('a response before the end of the request ends the connection', async (t) => {
  let connections = 0
  const url = await peer(t, (socket) => {
    connections += 1
    // It reads nothing.
    if (connections === 1) socket.write(ok)
    else socket.on('data', () => socket.write(ok))
  })
  const { post } = connection(t)
  const body = Buffer.alloc(50_000_000, 'x')
  assert.equal((await post(url, { ...sent, body })).status, 200)
  assert.equal((await post(url, sent)).status, 200)
  assert.equal(connections, 2)
})

for (const { what, serve, message } of [
  {
    what: 'hangs up',
    serve: (socket: Socket) => void socket.end(),
    message: /closed|ECONNRESET|EPIPE/,
  },
  {
    what: 'resets the connection',
    serve: (socket: Socket) => void socket.resetAndDestroy(),
    message: /closed|ECONNRESET|EPIPE/,
  },
  {
    what: 'speaks another protocol',
    serve: (socket: Socket) => void socket.write('SSH-2.0-x\r\n\r\n'),
    message: /^no HTTP response$/,
  },
  {
    what: 'never answers',
    serve: (socket: Socket) => void socket.resume(),
    message: /^no answer in 50 ms$/,
  },
]) {
  test(`a collector that ${what} is an error of the post, and no other`, async (t) => {
    const url = await peer(t, serve)
    const { post } = connection(t, what === 'never answers' ? 50 : undefined)
    await assert.rejects(post(url, sent), { message })
    await assert.rejects(post(url, sent), { message })
  })
}

test('a collector that is not there is an error of the post', async (t) => {
  await assert.rejects(connection(t).post(new URL('http://127.0.0.1:1'), sent), {
    code: 'ECONNREFUSED',
  })
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
  await assert.rejects(connection(t).post(url, sent), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, cert])
  t.after(() => setDefaultCACertificates(trusted))
  const { post } = connection(t)
  assert.equal((await post(url, sent)).status, 200)
  assert.equal((await post(url, sent)).status, 200)
})

test('nothing is posted after closing', async (t) => {
  let connections = 0
  const url = await peer(t, () => void (connections += 1))
  const created = connection(t)
  created.close()
  await assert.rejects(created.post(url, sent), { message: 'the process ends' })
  assert.equal(connections, 0)
})

test('closing ends a post that waits', async (t) => {
  const created = connection(t)
  const url = await peer(t, (socket) => void socket.once('data', () => created.close()).resume())
  await assert.rejects(created.post(url, sent), { message: 'the process ends' })
})
