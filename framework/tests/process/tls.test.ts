import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from 'node:tls'
import { selfSigned } from '../../src/base/tls/self-signed.ts'
import type { Limits } from '../../src/http/server/engine/limits.ts'
import { rawAnswer, rawAnswers } from '../support/raw-answer.ts'
import { RawClient, exchange } from '../support/raw-client.ts'
import { serve } from '../support/serve.ts'
import type { Served } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const pair = selfSigned({ hosts: ['localhost', '127.0.0.1'] })
const host = 'Host: localhost\r\n'
const close = 'Connection: close\r\n'

function serveTls(t: TestContext, limits: Partial<Limits> = {}): Promise<Served> {
  return serve(
    t,
    (server) => {
      server.router.get('/', (request, response) => response.text(`secure: ${request.secure}`))
      server.router.post('/', (_request, response) => response.text('not read'))
    },
    { tls: pair, limits },
  )
}

/**
 * The status of a response. With a short header timeout, a busy machine may exceed it during the
 * handshake: then it is tried again.
 */
function statusOf(port: number, bytes: string): Promise<number> {
  return waitFor('an answer', async () => {
    const client = await RawClient.connectTls(port, pair.cert).catch(() => null)
    if (client === null) return false
    const received = await client.send(bytes).ended()
    return received !== '' && rawAnswer(received).status
  })
}

async function assertHealthy(port: number): Promise<void> {
  const status = await waitFor('an answer other than 408', async () => {
    const answered = await statusOf(port, `GET /health HTTP/1.1\r\n${host}${close}\r\n`)
    return answered !== 408 && answered
  })
  assert.equal(status, 200)
}

test('with a key and a certificate the server uses TLS, and its address says so', async (t) => {
  const { port } = await serveTls(t)
  const client = await RawClient.connectTls(port, pair.cert)
  await client.send(`GET / HTTP/1.1\r\n${host}\r\n`).until('secure: true')
  const received = await client.send(`GET / HTTP/1.1\r\n${host}${close}\r\n`).ended()
  assert.deepEqual(
    rawAnswers(received).map(({ body }) => body),
    ['secure: true', 'secure: true'],
  )
})

test('a version before TLS 1.2 is refused', async (t) => {
  const { port } = await serveTls(t)
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  const socket = connect({ host: '127.0.0.1', port, ca: pair.cert, ...old })
  t.after(() => socket.destroy())
  const [error] = await once(socket, 'error')
  assert.equal(Object(error).code, 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
})

test('a client without the certificate does not trust it', async (t) => {
  const { port } = await serveTls(t)
  await assert.rejects(fetch(`https://127.0.0.1:${port}/`), (error: Error) => {
    return error.cause instanceof Error && /self-signed|self signed/.test(error.cause.message)
  })
  await assertHealthy(port)
})

test('an error inside TLS is answered inside TLS', async (t) => {
  const cases = [
    [400, {}, `GET / HTTP/1.1\r\nHost : a\r\n\r\n`],
    [408, { headersTimeout: 0.3 }, 'GET / HTTP/1.1\r\n'],
    [431, { headerBytes: 2000 }, `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(3000)}\r\n\r\n`],
  ] as const
  for (const [status, limits, bytes] of cases) {
    const { port } = await serveTls(t, limits)
    assert.equal(await statusOf(port, bytes), status)
    await assertHealthy(port)
  }
})

test('a response over TLS arrives although the request body is not read', async (t) => {
  const { port } = await serveTls(t)
  const client = await RawClient.connectTls(port, pair.cert)
  client.send(`POST / HTTP/1.1\r\n${host}Content-Length: 4000000\r\n\r\n`)
  for (let sent = 0; sent < 4; sent += 1) client.send('x'.repeat(1_000_000))
  assert.equal(rawAnswer(await client.ended()).body, 'not read')
  assert.equal(client.fault, null)
})

test('a connection that is not TLS is closed without a response, even if it stops half-way', async (t) => {
  const { port, reported } = await serveTls(t, { headersTimeout: 0.3 })
  const half = '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'
  for (const bytes of [`GET / HTTP/1.1\r\n${host}\r\n`, 'nonsense\r\n\r\n', half, '']) {
    assert.doesNotMatch(await exchange(port, bytes), /HTTP/)
  }
  assert.deepEqual(reported, [])
  await assertHealthy(port)
})

test('close does not wait for clients that have only completed the handshake', async (t) => {
  const { port, server } = await serve(t, () => {}, {
    tls: pair,
    drainTimeout: 3_600,
  })
  const shaken = await RawClient.connectTls(port, pair.cert)
  const silent = await RawClient.connect(port)
  await assertHealthy(port)
  let closed = false
  void server.close().then(() => (closed = true))
  await waitFor('the server to close', () => closed)
  await waitFor('the end of both', () => shaken.closed && silent.socket.readableEnded)
})

test('clients that reset before, during and after the handshake do no harm', async (t) => {
  const { port, reported } = await serveTls(t)
  for (let at = 0; at < 20; at += 1) {
    ;(await RawClient.connect(port)).reset()
    const shaking = (await RawClient.connect(port)).send('\x16\x03\x01\x02\x00\x01\x00')
    await new Promise((resolve) => shaking.socket.write('', resolve))
    shaking.reset()
    ;(await RawClient.connectTls(port, pair.cert)).leave()
  }
  await assertHealthy(port)
  assert.deepEqual(reported, [])
})

test('a client that does not read its response is disconnected, one that reads slowly is not', async (t) => {
  const chunks = Array.from({ length: 200 }, () => Buffer.alloc(100_000, 'x'))
  const { port, handled } = await serve(
    t,
    ({ router }) => {
      router.get('/whole', (_request, response) => response.bytes(Buffer.concat(chunks)))
      router.get('/stream', (_request, response) => response.stream(Readable.from(chunks)))
    },
    { tls: pair, limits: { sendTimeout: 4 } },
  )
  const idle = await RawClient.connectTls(port, pair.cert)
  idle.send(`GET /stream HTTP/1.1\r\n${host}\r\n`).socket.pause()
  const slow = await RawClient.connectTls(port, pair.cert)
  slow.send(`GET /whole HTTP/1.1\r\n${host}${close}\r\n`).socket.on('data', () => {
    slow.socket.pause()
    setTimeout(() => slow.socket.resume(), 4)
  })
  await waitFor('the end of the request', () => handled.includes('/stream'))
  assert.equal(rawAnswer(await slow.ended()).body.length, 20_000_000)
})
