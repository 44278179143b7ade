import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rawAnswer, rawAnswers } from '../support/raw-answer.ts'
import { RawClient, exchange } from '../support/raw-client.ts'
import { assertHealthy, serve } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const host = 'Host: localhost\r\n'
const close = 'Connection: close\r\n'

/** A request that keeps the connection open. */
function get(target: string, headers = ''): string {
  return `GET ${target} HTTP/1.1\r\n${host}${headers}\r\n`
}

test('a response has one head, with one date, one length and no transfer coding', async (t) => {
  const { port } = await serve(t, (server) => {
    server.router.get('/', (_request, response) => response.header('X-Own', '1').text('hällo'))
  })
  // This fails if Node no longer sends `_header`.
  const received = await exchange(port, get('/', close))
  const date = /Date: (.*)\r\n/.exec(received)?.[1] ?? ''
  assert.equal(
    received,
    'HTTP/1.1 200 OK\r\nX-Own: 1\r\nContent-Type: text/plain; charset=utf-8\r\n' +
      `Content-Length: 6\r\nDate: ${date}\r\nConnection: close\r\n\r\nh\xc3\xa4llo`,
  )
  assert.ok(Math.abs(Date.parse(date) - Date.now()) < 60_000)
})

test('a long body arrives to the byte, whatever letters it has, and the connection goes on', async (t) => {
  const bodies = ['a', 'é', '→', '𝄞', 'half \ud834', Buffer.from([0, 200, 255])].map((part) =>
    typeof part === 'string' ? `${'text '.repeat(1_000)}${part}` : part,
  )
  const { port } = await serve(t, (server) => {
    server.router.get('/:at<int>', ({ params }, response) => {
      const body = bodies[params.at] ?? ''
      return typeof body === 'string' ? response.text(body) : response.bytes(body)
    })
  })
  const client = await RawClient.connect(port)
  bodies.forEach((_, at) => client.send(get(`/${at}`)))
  client.send(get('/0', close))
  const answers = rawAnswers(await client.ended())
  const sent = [...bodies, bodies[0] ?? ''].map((body) => Buffer.from(body).toString('latin1'))
  assert.deepEqual(
    answers.map(({ body }) => body),
    sent,
  )
  assert.deepEqual(
    answers.map((answer) => Number(answer.header('Content-Length'))),
    sent.map(({ length }) => length),
  )
})

test('a streamed response has one head, is chunked, and keeps the connection', async (t) => {
  const { port } = await serve(t, (server) => {
    server.router.get('/', (_request, response) => response.stream(Readable.from(['ab', 'c'])))
  })
  const client = (await RawClient.connect(port)).send(get('/')).send(get('/', close))
  const answers = rawAnswers(await client.ended())
  assert.deepEqual(
    answers.map(({ body }) => body),
    ['abc', 'abc'],
  )
  for (const answer of answers) {
    assert.equal(answer.header('transfer-encoding'), 'chunked')
    assert.ok(answer.header('date') !== undefined)
    assert.equal(answer.header('content-length'), undefined)
  }
})

test('the version and the Connection header decide whether a connection stays open', async (t) => {
  const { port } = await serve(t, (server) => {
    server.router.get('/', (_request, response) => response.text('body'))
    server.router.get('/stream', (_request, response) => response.stream(Readable.from(['body'])))
  })
  const kept = await RawClient.connect(port)
  await kept.send(get('/')).until('body')
  assert.equal(rawAnswer(kept.received).header('connection'), undefined)
  kept.send(get('/', close))
  assert.equal(rawAnswers(await kept.ended())[1]?.header('connection'), 'close')

  const old = rawAnswer(await exchange(port, 'GET / HTTP/1.0\r\n\r\n'))
  assert.equal(old.header('connection'), 'close')
  const streamed = rawAnswer(await exchange(port, 'GET /stream HTTP/1.0\r\n\r\n'))
  assert.deepEqual([streamed.body, streamed.header('transfer-encoding')], ['body', undefined])

  const asked = await RawClient.connect(port)
  asked.send('GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n')
  await asked.until('body')
  assert.equal(rawAnswer(asked.received).header('connection'), 'keep-alive')
  assert.equal(rawAnswers(await asked.send('GET / HTTP/1.0\r\n\r\n').ended()).length, 2)
})

test('HEAD, 204 and 304 have no body, and the next response follows directly', async (t) => {
  const { port } = await serve(t, (server) => {
    server.router
      .get('/', (_request, response) => response.text('body'))
      .get('/stream', (_request, response) => response.stream(Readable.from(['body'])))
      .get('/204', (_request, response) => response.status(204).text('body'))
      .get('/304', (_request, response) => response.status(304).text('body'))
      .get('/304/stream', (_request, response) => {
        return response.status(304).stream(Readable.from(['body']))
      })
  })
  for (const line of ['HEAD /', 'HEAD /stream', 'GET /204', 'GET /304', 'GET /304/stream']) {
    const received = await exchange(port, `${line} HTTP/1.1\r\n${host}\r\n${get('/', close)}`)
    const [head = '', ...rest] = received.split('\r\n\r\n')
    assert.match(rest.join('\r\n\r\n'), /^HTTP\/1.1 200 OK\r\n[^]*\r\n\r\nbody$/, line)
    assert.equal(/^content-length/im.test(head), line === 'HEAD /', line)
    assert.doesNotMatch(head, /^transfer-encoding/im, line)
  }
})

test('pipelined requests are answered in order, whichever is ready first', async (t) => {
  const { port, handled } = await serve(t, (server) => {
    server.router.get('/:ms<int>', async (request, response) => {
      await sleep(request.params.ms)
      return response.text(request.path)
    })
    server.router.get('/now', (_request, response) => response.text('/now'))
  })
  const received = await exchange(port, get('/60') + get('/now') + get('/30') + get('/0', close))
  assert.deepEqual(
    rawAnswers(received).map(({ body }) => body),
    ['/60', '/now', '/30', '/0'],
  )
  assert.equal(handled.length, 4)
})

test('garbage after a good request does not affect its response', async (t) => {
  const large = 'x'.repeat(6_000_000)
  const { port } = await serve(t, (server) => {
    server.router
      .get('/slow', (_request, response) => sleep(50, response.text('slow')))
      .get('/large', (_request, response) => response.text(large))
      .get('/stream', (_request, response) => response.stream(Readable.from([large])))
  })
  for (const target of ['/slow', '/large', '/stream']) {
    const received = await exchange(port, `${get(target)}\x01garbage\r\n\r\n`)
    const [good, bad] = rawAnswers(received)
    assert.equal(good?.body.length, target === '/slow' ? 4 : large.length)
    assert.equal(bad?.status, 400)
  }
  await assertHealthy(port)
})

test('bytes after a request that ends the connection do not affect its response', async (t) => {
  const { port } = await serve(t, (server) => {
    server.router.post('/', async (request, response) => {
      const text = await request.text()
      return sleep(30, response.text(text))
    })
  })
  const post = `POST / HTTP/1.1\r\n${host}${close}Content-Length: 3\r\n\r\nabc`
  for (const stray of ['\r\n', get('/other')]) {
    assert.equal(rawAnswer(await exchange(port, post + stray)).body, 'abc')
  }
})

test('a request after a response that ends the connection does not run', async (t) => {
  const ran: string[] = []
  const { port } = await serve(
    t,
    (server) => {
      server.router.any('/*rest', (request, response) => {
        ran.push(request.URI)
        return response.text('answer')
      })
    },
    { limits: { requestsPerSocket: 2 } },
  )
  // The body of the first is not read, so its connection cannot be kept.
  const unread = `POST /unread HTTP/1.1\r\n${host}Content-Length: 3\r\n\r\nabc`
  assert.equal(
    rawAnswer(await exchange(port, unread + get('/second'))).header('connection'),
    'close',
  )
  const refused = `GET /refused HTTP/1.1\r\n${host}${host}\r\n`
  assert.equal(rawAnswer(await exchange(port, refused + get('/third'))).status, 400)
  assert.deepEqual(ran, ['/unread'])
})

test('a streamed response arrives completely although the request body is not read', async (t) => {
  const { port } = await serve(t, (server) => {
    server.router.post('/', (_request, response) => {
      return response.stream(Readable.from(['a'.repeat(300_000), 'b'.repeat(300_000)]))
    })
  })
  const client = await RawClient.connect(port)
  client.send(`POST / HTTP/1.1\r\n${host}Content-Length: 4000000\r\n\r\n`)
  for (let sent = 0; sent < 4; sent += 1) client.send('x'.repeat(1_000_000))
  const answer = rawAnswer(await client.ended())
  assert.equal(answer.body.length, 600_000)
  assert.equal(client.fault, null)
  assert.equal(answer.header('connection'), 'close')
})

test('the last request of requestsPerSocket gets Connection: close, and no more are accepted', async (t) => {
  const { port, handled } = await serve(
    t,
    (server) => {
      server.router.get('/*rest', (_request, response) => response.text('body'))
    },
    { limits: { requestsPerSocket: 3 } },
  )
  const received = await exchange(port, get('/1') + get('/2') + get('/3') + get('/4'))
  assert.deepEqual(
    rawAnswers(received).map((answer) => answer.header('connection')),
    [undefined, undefined, 'close'],
  )
  assert.deepEqual(handled, ['/1', '/2', '/3'])
})

test('connections above the limit are closed, and there is room again afterwards', async (t) => {
  const { port } = await serve(
    t,
    (server) => {
      server.router.get('/', (_request, response) => response.text('body'))
    },
    { limits: { connections: 2 } },
  )
  const first = await RawClient.connect(port)
  const second = await RawClient.connect(port)
  await first.send(get('/')).until('body')
  await second.send(get('/')).until('body')
  const third = await RawClient.connect(port)
  assert.equal(await third.send(get('/')).ended(), '')
  await second.send(get('/')).until('bodyHTTP')
  first.leave()
  await waitFor('room for another connection', async () => {
    return (await exchange(port, get('/', close))) !== ''
  })
})

test('an idle connection is closed after keepAliveTimeout', async (t) => {
  const { port } = await serve(
    t,
    (server) => {
      server.router.get('/', (_request, response) => response.text('body'))
    },
    { limits: { keepAliveTimeout: 0.1 } },
  )
  const client = (await RawClient.connect(port)).send(get('/'))
  assert.equal(rawAnswer(await client.ended()).status, 200)
})

test('a connection is not idle while a response is made, sent or read', async (t) => {
  const large = 'x'.repeat(30_000_000)
  const gate = Promise.withResolvers<void>()
  const { port } = await serve(
    t,
    ({ router }) => {
      router.get('/large', (_request, response) => response.text(large))
      router.get('/gate', (_request, response) => gate.promise.then(() => response.text('late')))
    },
    { limits: { keepAliveTimeout: 0.2 } },
  )
  const waiting = (await RawClient.connect(port)).send(get('/gate'))
  const reader = (await RawClient.connect(port)).send(get('/large'))
  await reader.until('xxx')
  reader.socket.pause()
  // Other connections are closed as idle one after the other, and these two are still open.
  for (let at = 0; at < 3; at += 1) await (await RawClient.connect(port)).ended()
  gate.resolve()
  reader.socket.resume()
  assert.equal(rawAnswer(await reader.ended()).body.length, large.length)
  assert.equal(rawAnswer(await waiting.ended()).body, 'late')
})

test('an upgrade offer is declined with the last response of its connection, and no byte behind it is a request', async (t) => {
  const { port, handled } = await serve(t, (server) => {
    server.router.get('/', (_request, response) => response.text('body'))
    server.router.get('/later', async (_request, response) => {
      await new Promise(setImmediate)
      return response.text('body')
    })
    server.router.get('/behind', (_request, response) => response.text('never'))
  })
  const offer = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  for (const behind of [get('/behind'), '\x81\x05frame']) {
    for (const path of ['/', '/later']) {
      const answer = rawAnswer(await exchange(port, get(path, offer) + behind))
      assert.equal(answer.status, 200)
      assert.equal(answer.header('connection'), 'close')
    }
  }
  assert.deepEqual(handled, ['/', '/later', '/', '/later'])
})
