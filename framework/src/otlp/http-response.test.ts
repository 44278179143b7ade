import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readResponse } from './http-response.ts'

interface Seen {
  readonly status: number
  readonly body: string
  readonly isReusable: boolean
}

function read(text: string, isEnd = false): Seen | null {
  const response = readResponse(Buffer.from(text, 'latin1'), isEnd)
  if (response === null) return null
  const { status, body, isReusable } = response
  return { status, body: body.toString('latin1'), isReusable }
}

const early = 'HTTP/1.1 100 Continue\r\n\r\n'
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

for (const { what, text, seen } of [
  {
    what: 'a length',
    text: 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody',
    seen: { status: 200, body: 'body', isReusable: true },
  },
  {
    what: 'nothing in it',
    text: 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n',
    seen: { status: 503, body: '', isReusable: true },
  },
  {
    what: 'a status that has no body',
    text: 'HTTP/1.1 204 No Content\r\n\r\n',
    seen: { status: 204, body: '', isReusable: true },
  },
  {
    what: 'no reason behind the status',
    text: 'HTTP/1.1 202\r\ncontent-length: 0\r\n\r\n',
    seen: { status: 202, body: '', isReusable: true },
  },
  {
    what: 'another one that announces it',
    text: `${early}HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na`,
    seen: { status: 200, body: 'a', isReusable: true },
  },
  {
    what: 'chunks, with an extension and fields behind them',
    text: `${chunked}3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nfield: x\r\n\r\n`,
    seen: { status: 200, body: 'abc0123456789', isReusable: true },
  },
  {
    what: 'a connection that ends with it',
    text: 'HTTP/1.1 200 OK\r\nConnection: Close\r\ncontent-length: 1\r\n\r\na',
    seen: { status: 200, body: 'a', isReusable: false },
  },
  {
    what: 'the old version',
    text: 'HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\na',
    seen: { status: 200, body: 'a', isReusable: false },
  },
  {
    what: 'more behind it than belongs to it',
    text: 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nab',
    seen: { status: 200, body: 'a', isReusable: false },
  },
  {
    what: 'more behind its chunks than belongs to it',
    text: `${chunked}1\r\na\r\n0\r\n\r\nb`,
    seen: { status: 200, body: 'a', isReusable: false },
  },
]) {
  test(`a response with ${what} is read as soon as it is there`, () => {
    assert.deepEqual(read(text), seen)
    const own = what.startsWith('more') ? text.slice(0, -1) : text
    for (let length = 0; length < own.length; length += 1) {
      assert.equal(read(own.slice(0, length)), null, `after ${length} bytes`)
    }
  })
}

test('a response without a length ends with the connection', () => {
  const text = 'HTTP/1.1 200 OK\r\n\r\nall of it'
  assert.equal(read(text), null)
  assert.deepEqual(read(text, true), { status: 200, body: 'all of it', isReusable: false })
})

test('one that breaks off keeps its status', () => {
  for (const [text, body] of [
    ['HTTP/1.1 400 Bad Request\r\ncontent-length: 9\r\n\r\nhalf', 'half'],
    ['HTTP/1.1 400 Bad Request\r\ntransfer-encoding: chunked\r\n\r\n9\r\nhalf', 'half'],
    ['HTTP/1.1 400 Bad Request\r\ntransfer-encoding: chunked\r\n\r\nnonsense', ''],
  ] as const) {
    assert.deepEqual(read(text, true), { status: 400, body, isReusable: false })
  }
})

test('of a body without end only the start is read', () => {
  const long = 'x'.repeat(70_000)
  for (const head of ['', 'content-length: 9999999999\r\n', 'content-length: nonsense\r\n']) {
    const seen = read(`HTTP/1.1 200 OK\r\n${head}\r\n${long}`)
    assert.deepEqual(seen, { status: 200, body: long.slice(0, 65_536), isReusable: false })
  }
  const seen = read(`${chunked}ffffff\r\n${long}`)
  assert.deepEqual(seen, { status: 200, body: long.slice(0, 65_536), isReusable: false })
})

test('what is no response is refused', () => {
  for (const text of [
    'SSH-2.0-OpenSSH\r\n\r\n',
    'HTTP/2 200\r\n\r\n',
    'HTTP/1.1 20\r\n\r\n',
    '\r\n\r\n',
  ]) {
    assert.throws(() => read(text), { message: 'no HTTP response' })
  }
  assert.throws(() => read('HTTP/1.1 200 OK\r\n', true), { message: 'no HTTP response' })
  for (const endless of [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}`, early.repeat(1_000)]) {
    assert.throws(() => read(endless), { message: 'no HTTP response' })
  }
})
