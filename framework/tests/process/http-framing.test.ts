import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { rawAnswer } from '../support/raw-answer.ts'
import { exchange } from '../support/raw-client.ts'
import { assertHealthy, serve } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const host = 'Host: localhost\r\n'
const get = `GET / HTTP/1.1\r\n${host}`
const post = `POST / HTTP/1.1\r\n${host}`
const chunked = `${post}Transfer-Encoding: chunked\r\n`

/** Asserts the response to bytes that must be refused, and that no handler saw them. */
async function assertRefused(
  t: TestContext,
  status: number,
  cases: Readonly<Record<string, string>>,
): Promise<void> {
  const ran: string[] = []
  const { port, reported } = await serve(t, (server) => {
    server.router.any('/', (request, response) => {
      ran.push(request.method)
      return response.text('ran')
    })
  })
  for (const [name, bytes] of Object.entries(cases)) {
    await t.test(name, async () => {
      const answer = rawAnswer(await exchange(port, bytes))
      assert.equal(answer.status, status)
      assert.equal(answer.header('connection'), 'close')
      assert.deepEqual(ran, [], 'a handler ran')
    })
  }
  assert.deepEqual(reported, [])
  await assertHealthy(port)
}

test('a body whose length is ambiguous is refused with 400', (t) =>
  assertRefused(t, 400, {
    'length and chunks': `${chunked}Content-Length: 5\r\n\r\n0\r\n\r\n`,
    'chunks and length': `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'two lengths': `${post}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`,
    'the same length twice': `${post}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`,
    'a list of lengths': `${post}Content-Length: 3, 3\r\n\r\nabc`,
    'a signed length': `${post}Content-Length: +3\r\n\r\nabc`,
    'a negative length': `${post}Content-Length: -1\r\n\r\n`,
    'a length in hexadecimal': `${post}Content-Length: 0x3\r\n\r\nabc`,
    'a length past all numbers': `${post}Content-Length: 99999999999999999999\r\n\r\n`,
    'an empty length': `${post}Content-Length:\r\n\r\n`,
    'chunked twice': `${chunked}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'chunked and identity': `${chunked}Transfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
    'chunked before another coding': `${post}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
    'chunks in HTTP/1.0': `POST / HTTP/1.0\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  }))

test('an unknown transfer coding is refused with 501 before any handler', (t) =>
  assertRefused(t, 501, {
    'an unknown one': `${post}Transfer-Encoding: turtles\r\n\r\nabc`,
    'gzip before chunked': `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    identity: `${post}Transfer-Encoding: identity\r\n\r\n`,
    'a name that ends in chunked': `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    'without a body': `${get}Transfer-Encoding: turtles\r\n\r\n`,
  }))

test('headers that two parsers could read differently are refused with 400', (t) =>
  assertRefused(t, 400, {
    'a folded line': `${get}X: a\r\n b\r\n\r\n`,
    'a folded coding': `${post}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`,
    'bare line feeds': 'GET / HTTP/1.1\nHost: localhost\n\n',
    'one bare line feed': 'GET / HTTP/1.1\r\nHost: localhost\nX: a\r\n\r\n',
    'a bare carriage return': 'GET / HTTP/1.1\r\nHost: localhost\rX: a\r\n\r\n',
    'a space before the colon': `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    'a space before the name': `GET / HTTP/1.1\r\n Host: localhost\r\n\r\n`,
    'NUL in a value': `${get}X: a\0b\r\n\r\n`,
    'NUL in a name': `${get}X\0: a\r\n\r\n`,
    'no colon': `${get}nonsense\r\n\r\n`,
    'no name': `${get}: a\r\n\r\n`,
  }))

test('a request without exactly one valid host is refused with 400', (t) =>
  assertRefused(t, 400, {
    none: 'GET / HTTP/1.1\r\n\r\n',
    two: `GET / HTTP/1.1\r\n${host}HOST: other\r\n\r\n`,
    'the same twice': `GET / HTTP/1.1\r\n${host}${host}\r\n`,
    'a list': 'GET / HTTP/1.1\r\nHost: a, b c\r\n\r\n',
    'with a path': 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n',
    'with a user': 'GET / HTTP/1.1\r\nHost: user@a\r\n\r\n',
    'with a space': 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
    'with a port that is none': 'GET / HTTP/1.1\r\nHost: a:b\r\n\r\n',
    'two in HTTP/1.0': `GET / HTTP/1.0\r\n${host}Host: other\r\n\r\n`,
  }))

test('an unsupported version is refused with 505', (t) =>
  assertRefused(t, 505, {
    '2.0': `GET / HTTP/2.0\r\n${host}\r\n`,
    '0.9': `GET / HTTP/0.9\r\n${host}\r\n`,
    'none, as HTTP/0.9 had it': 'GET /\r\n\r\n',
  }))

test('anything but HTTP is refused with 400', (t) =>
  assertRefused(t, 400, {
    'a TLS handshake': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'an unknown method': `TURTLE / HTTP/1.1\r\n${host}\r\n`,
    'a method in lower case': `get / HTTP/1.1\r\n${host}\r\n`,
    'a version nobody knows': `GET / HTTP/1.2\r\n${host}\r\n`,
    'a protocol in lower case': `GET / http/1.1\r\n${host}\r\n`,
  }))

test('a broken chunked body gets 400, and the handler that reads it gets an error', async (t) => {
  const failures: unknown[] = []
  const { port, handled, reported } = await serve(t, (server) => {
    server.router.post('/', async (request, response) => {
      await request.bytes().catch((error: unknown) => failures.push(error))
      return response.text('read')
    })
  })
  const bodies = ['xyz\r\nabc\r\n', '2\r\nabc\r\n', 'fffffffffffffffff\r\n', '3\nabc\n', '-1\r\n']
  for (const body of bodies) {
    const answer = rawAnswer(await exchange(port, `${chunked}\r\n${body}0\r\n\r\n`))
    assert.equal(answer.status, 400)
  }
  await waitFor('the end of all requests', () => handled.length === bodies.length)
  assert.equal(failures.length, bodies.length)
  assert.deepEqual(reported, [])
  await assertHealthy(port)
})

test('odd but valid requests pass', async (t) => {
  const { port } = await serve(t, (server) => {
    server.router.any('/', async (request, response) => response.text(await request.text()))
  })
  const sound = {
    'an empty host': ['GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', ''],
    'an IPv6 host': ['GET / HTTP/1.1\r\nHost: [::1]:80\r\nConnection: close\r\n\r\n', ''],
    'no host in HTTP/1.0': ['GET / HTTP/1.0\r\n\r\n', ''],
    'chunks with extensions and trailers': [
      `${chunked}Connection: close\r\n\r\n2;a=b\r\nab\r\n1\r\nc\r\n0\r\nX: y\r\n\r\n`,
      'abc',
    ],
    'blank lines before the request': [`\r\n\r\n${get}Connection: close\r\n\r\n`, ''],
  }
  for (const [name, [bytes = '', body]] of Object.entries(sound)) {
    const answer = rawAnswer(await exchange(port, bytes))
    assert.deepEqual([answer.status, answer.body], [200, body], name)
  }
})
