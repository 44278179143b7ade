import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Handler } from '../../src/http/router/route.ts'
import type { Limits } from '../../src/http/server/engine/limits.ts'
import { rawAnswer } from '../support/raw-answer.ts'
import { RawClient, exchange } from '../support/raw-client.ts'
import { assertHealthy, serve } from '../support/serve.ts'
import type { Served } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const host = 'Host: localhost\r\n'
const close = 'Connection: close\r\n'

/** A server whose POST / reads the body and returns its size. */
function serveLimited(t: TestContext, limits: Partial<Limits>): Promise<Served> {
  return serve(
    t,
    (server) => {
      server.router.get('/*rest', (request, response) => response.text(request.URI))
      server.router.post('/', async (request, response) => {
        return response.text(String((await request.bytes()).length))
      })
      const sizeOfFile: Handler = async (request, response) => {
        const { files } = await request.form()
        return response.text(String(files[0]?.size))
      }
      server.router.post('/form', sizeOfFile, { uploads: {} })
    },
    { limits },
  )
}

test('slow headers get 408 after the timeout', async (t) => {
  const { port, handled } = await serveLimited(t, { headersTimeout: 0.4 })
  const client = (await RawClient.connect(port)).send(`GET / HTTP/1.1\r\n${host}X-Slow: `)
  const drip = setInterval(() => client.send('a'), 20)
  t.after(() => clearInterval(drip))
  assert.equal(rawAnswer(await client.ended()).status, 408)
  assert.deepEqual(handled, [])
  await assertHealthy(port)
})

test('a connection that sends nothing is closed', async (t) => {
  const { port } = await serveLimited(t, { headersTimeout: 0.3 })
  const client = await RawClient.connect(port)
  assert.equal(rawAnswer(await client.ended()).status, 408)
})

test('a slow body gets 408, and its request ends once', async (t) => {
  const { port, handled, reported } = await serveLimited(t, { requestTimeout: 0.4 })
  const client = (await RawClient.connect(port)).send(
    `POST / HTTP/1.1\r\n${host}Content-Length: 100\r\n\r\n`,
  )
  const drip = setInterval(() => client.send('a'), 20)
  t.after(() => clearInterval(drip))
  assert.equal(rawAnswer(await client.ended()).status, 408)
  await waitFor('the end of the request', () => handled.length > 0)
  assert.deepEqual(handled, ['/'])
  assert.deepEqual(reported, [])
  await assertHealthy(port)
})

/** A server with a response too large for any buffer on the way, and a slow one. */
async function serveLarge(t: TestContext): Promise<Served & { readonly size: number }> {
  const chunks = Array.from({ length: 300 }, () => Buffer.alloc(100_000, 'x'))
  const served = await serve(
    t,
    ({ router }) => {
      router.get('/whole', (_request, response) => response.send(Buffer.concat(chunks)))
      router.get('/large', (_request, response) => response.stream(Readable.from(chunks)))
      router.get('/late', (_request, response) => sleep(5000).then(() => response.text('late')))
    },
    { limits: { sendTimeout: 4 } },
  )
  return { ...served, size: 30_000_000 }
}

test('a client that does not read its response is disconnected', async (t) => {
  const { port, handled, size } = await serveLarge(t)
  const client = (await RawClient.connect(port)).send(`GET /large HTTP/1.1\r\n${host}\r\n`)
  client.socket.pause()
  await waitFor('the end of the request', () => handled.includes('/large'))
  client.socket.resume()
  assert.ok((await client.ended()).length < size)
  await assertHealthy(port)
})

test('a client that reads slowly, or waits for its response, is not disconnected', async (t) => {
  const { port, size } = await serveLarge(t)
  const waiting = (await RawClient.connect(port)).send(`GET /late HTTP/1.1\r\n${host}${close}\r\n`)
  const client = (await RawClient.connect(port)).send(`GET /whole HTTP/1.1\r\n${host}${close}\r\n`)
  client.socket.on('data', () => {
    client.socket.pause()
    setTimeout(() => client.socket.resume(), 10)
  })
  assert.equal(rawAnswer(await waiting.ended()).body, 'late')
  assert.equal(rawAnswer(await client.ended()).body.length, size)
})

test('timeouts may be short, even fractions of a second', async (t) => {
  const { port } = await serveLimited(t, {
    requestTimeout: 100.0015,
    headersTimeout: 50.3333,
    keepAliveTimeout: 0.0004,
  })
  await assertHealthy(port)
})

test('headers above headerBytes get 431', async (t) => {
  const { port, handled } = await serveLimited(t, { headerBytes: 2000 })
  for (const size of [2000, 60_000, 1_000_000]) {
    const received = await exchange(port, `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(size)}\r\n\r\n`)
    assert.equal(rawAnswer(received).status, 431)
  }
  assert.deepEqual(handled, [])
  await assertHealthy(port)
})

test('more header lines than headerCount get 431, exactly as many do not', async (t) => {
  const { port } = await serveLimited(t, { headerCount: 10 })
  const lines = (count: number): string =>
    `GET / HTTP/1.1\r\n${host}${close}${'X: a\r\n'.repeat(count - 2)}\r\n`
  assert.equal(rawAnswer(await exchange(port, lines(10))).status, 200)
  assert.equal(rawAnswer(await exchange(port, lines(11))).status, 431)
  assert.equal(rawAnswer(await exchange(port, lines(1000))).status, 431)
})

test('a target above its limit gets 414, whoever notices it', async (t) => {
  const { port } = await serveLimited(t, { target: 1000, headerBytes: 4000 })
  const ask = async (length: number): Promise<number> => {
    const target = `/${'a'.repeat(length - 1)}`
    return rawAnswer(await exchange(port, `GET ${target} HTTP/1.1\r\n${host}${close}\r\n`)).status
  }
  assert.equal(await ask(1000), 200)
  assert.equal(await ask(1001), 414)
  // Beyond the parser's limit for all headers together, in one packet and in many.
  assert.equal(await ask(5000), 414)
  assert.equal(await ask(300_000), 414)
})

test('a body above its limit gets 413 by its declared length', async (t) => {
  const { port, reported } = await serveLimited(t, { body: 1000 })
  const post = async (size: number): Promise<number> => {
    const head = `POST / HTTP/1.1\r\n${host}${close}Content-Length: ${size}\r\n\r\n`
    return rawAnswer(await exchange(port, head + 'a'.repeat(size))).status
  }
  assert.equal(await post(1000), 200)
  assert.equal(await post(1001), 413)
  assert.deepEqual(reported, [])
})

test('a chunked body above its limit gets 413 while the client still sends', async (t) => {
  const { port } = await serveLimited(t, { body: 1000 })
  const client = (await RawClient.connect(port)).send(
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`,
  )
  const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`
  for (let sent = 0; sent < 40; sent += 1) client.send(chunk)
  const answer = rawAnswer(await client.ended())
  // A reset may reach a client before it has read its response.
  assert.equal(client.fault, null)
  assert.equal(answer.status, 413)
  assert.equal(answer.header('connection'), 'close')
  await assertHealthy(port)
})

test('a client that keeps sending a body that is not read is disconnected', async (t) => {
  const { port } = await serveLimited(t, { body: 1000 })
  const client = (await RawClient.connect(port)).send(
    `POST / HTTP/1.1\r\n${host}Content-Length: 100000000000\r\n\r\n`,
  )
  const flood = setInterval(() => client.send('a'), 20)
  t.after(() => clearInterval(flood))
  await client.until('413 Payload Too Large')
  await waitFor('the cut', () => client.closed)
})

test('a flood of chunk extensions gets 413', async (t) => {
  const { port } = await serveLimited(t, {})
  const received = await exchange(
    port,
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(40_000)}\r\na\r\n`,
  )
  assert.equal(rawAnswer(received).status, 413)
  await assertHealthy(port)
})

test('a flood of trailers gets 431', async (t) => {
  const { port } = await serveLimited(t, {})
  const received = await exchange(
    port,
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\nX: ${'x'.repeat(40_000)}`,
  )
  assert.equal(rawAnswer(received).status, 431)
})

test('a client that expects 100 is told to continue when the body is read', async (t) => {
  const { port } = await serveLimited(t, { body: 1000 })
  const client = (await RawClient.connect(port)).send(
    `POST / HTTP/1.1\r\n${host}${close}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`,
  )
  assert.equal(await client.until('\r\n\r\n'), 'HTTP/1.1 100 Continue\r\n\r\n')
  const received = await client.send('abc').ended()
  assert.match(received, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/)
  assert.match(received, /\r\n\r\n3$/)
})

test('a client that expects 100 is told to continue with an upload larger than `body`', async (t) => {
  const { port } = await serveLimited(t, { body: 1000 })
  const head = '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
  const form = `${head}${'a'.repeat(5000)}\r\n--x--\r\n`
  const client = (await RawClient.connect(port)).send(
    `POST /form HTTP/1.1\r\n${host}${close}Expect: 100-continue\r\nContent-Length: ${form.length}\r\n` +
      'Content-Type: multipart/form-data; boundary=x\r\n\r\n',
  )
  await client.until('100 Continue')
  assert.match(await client.send(form).ended(), /\r\n\r\n5000$/)
})

test('a client that expects 100 is not asked for a body that would be refused', async (t) => {
  const { port } = await serveLimited(t, { body: 1000 })
  const ask = async (headers: string): Promise<number> => {
    const request = `POST / HTTP/1.1\r\n${host}Expect: 100-continue\r\n${headers}\r\n`
    return rawAnswer(await exchange(port, request)).status
  }
  assert.equal(await ask('Content-Length: 1001\r\n'), 413)
  assert.equal(await ask(`Content-Length: 3\r\n${host}`), 400)
  assert.equal(await ask('Content-Length: 3\r\nContent-Encoding: gzip\r\n'), 415)
})
