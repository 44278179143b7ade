import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { RawClient, exchange } from '../support/raw-client.ts'
import { assertHealthy, serve } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const host = 'Host: localhost\r\n'

/** How a client disconnects. */
const leavings = ['reset', 'leave'] as const

/** A slow source without an end. */
function endless(): Readable {
  return new Readable({
    read() {
      setTimeout(() => this.push('a'.repeat(1000)), 2)
    },
  })
}

for (const leaving of leavings) {
  test(`request.signal aborts when the client disconnects by ${leaving}, and the request ends once`, async (t) => {
    let began = 0
    const aborted: AbortSignal[] = []
    const { port, handled, reported } = await serve(t, (server) => {
      server.router.get('/', async (request, response) => {
        began += 1
        await once(request.signal, 'abort')
        aborted.push(request.signal)
        return response.text('nobody reads this')
      })
    })
    const client = (await RawClient.connect(port)).send(`GET / HTTP/1.1\r\n${host}\r\n`)
    await waitFor('the handler', () => began === 1)
    client[leaving]()
    await waitFor('the end of the request', () => handled.length > 0)
    assert.equal(aborted.length, 1)
    await assertHealthy(port)
    assert.deepEqual(handled, ['/'])
    assert.deepEqual(reported, [])
  })

  test(`a client that disconnects by ${leaving} during a stream releases its source`, async (t) => {
    const source = endless()
    const { port, handled, reported } = await serve(t, (server) => {
      server.router.get('/', (_request, response) => response.stream(source))
    })
    const client = (await RawClient.connect(port)).send(`GET / HTTP/1.1\r\n${host}\r\n`)
    await client.until('aaaa')
    client[leaving]()
    await waitFor('the end of the source', () => source.destroyed)
    await waitFor('the end of the request', () => handled.length > 0)
    await assertHealthy(port)
    assert.deepEqual(handled, ['/'])
    assert.deepEqual(reported, [])
  })
}

test('a client that disconnects while its body is read ends the read and the request, once', async (t) => {
  const failures: unknown[] = []
  let began = 0
  const { port, handled, reported } = await serve(t, (server) => {
    server.router.post('/', async (request, response) => {
      began += 1
      await request.bytes().catch((error: unknown) => failures.push(error))
      return response.text('nobody reads this')
    })
  })
  const client = await RawClient.connect(port)
  client.send(`POST / HTTP/1.1\r\n${host}Content-Length: 100\r\n\r\nabc`)
  await waitFor('the handler', () => began === 1)
  client.reset()
  await waitFor('the end of the request', () => handled.length > 0)
  assert.match(String(failures[0]), /incomplete/)
  assert.deepEqual([handled, reported], [['/'], []])
})

test('a stream for a client that disconnected before it began is released', async (t) => {
  const source = endless()
  let began = 0
  const { port, handled } = await serve(t, (server) => {
    server.router.get('/', async (request, response) => {
      began += 1
      await once(request.signal, 'abort')
      return response.stream(source)
    })
  })
  const client = (await RawClient.connect(port)).send(`GET / HTTP/1.1\r\n${host}\r\n`)
  await waitFor('the handler', () => began === 1)
  client.reset()
  await waitFor('the end of the source', () => source.destroyed)
  await waitFor('the end of the request', () => handled.length > 0)
  assert.deepEqual(handled, ['/'])
})

test('a stream that waits behind another response is released with its client', async (t) => {
  const sources = [endless(), endless()]
  const aborted: string[] = []
  let began = 0
  const { port, handled } = await serve(t, (server) => {
    server.router.get('/:at<int>', (request, response) => {
      request.signal.addEventListener('abort', () => aborted.push(request.path))
      began += 1
      return response.stream(sources[request.params.at] ?? endless())
    })
  })
  const client = await RawClient.connect(port)
  client.send(`GET /0 HTTP/1.1\r\n${host}\r\nGET /1 HTTP/1.1\r\n${host}\r\n`)
  await waitFor('both handlers', () => began === 2)
  client.reset()
  await waitFor('the end of both', () => handled.length === 2)
  assert.deepEqual(
    sources.map((source) => source.destroyed),
    [true, true],
  )
  assert.deepEqual(aborted.sort(), ['/0', '/1'])
})

test('a source that fails cuts the connection, is reported, and ends the request once', async (t) => {
  const failure = new Error('the disk is gone')
  const { port, handled, reported } = await serve(t, (server) => {
    server.router.get('/', (_request, response) => {
      return response.stream(
        Readable.from(
          (async function* chunks() {
            yield 'first'
            await waitFor('the client', () => client.received.includes('first'))
            throw failure
          })(),
        ),
      )
    })
  })
  const client = (await RawClient.connect(port)).send(`GET / HTTP/1.1\r\n${host}\r\n`)
  const received = await client.ended()
  assert.match(received, /first/)
  assert.doesNotMatch(received, /\r\n0\r\n/, 'half an answer looks whole')
  await waitFor('the end of the request', () => handled.length > 0)
  assert.deepEqual([handled, reported], [['/'], [failure]])
  await assertHealthy(port)
})

test('a source that ends too early cuts the connection and is reported', async (t) => {
  const { port, handled, reported } = await serve(t, (server) => {
    server.router.get('/', (_request, response) => {
      let given = 0
      return response.stream(
        new Readable({
          read() {
            given += 1
            if (given === 1) this.push('first')
            else this.destroy()
          },
        }),
      )
    })
  })
  assert.doesNotMatch(await exchange(port, `GET / HTTP/1.1\r\n${host}\r\n`), /\r\n0\r\n/)
  await waitFor('the end of the request', () => handled.length > 0)
  assert.deepEqual([handled, reported.length], [['/'], 1])
})

test('a hundred clients that come and go leave nothing behind', async (t) => {
  const live = new Set<Readable>()
  const { port, handled, reported } = await serve(t, (server) => {
    server.router.get('/', (_request, response) => {
      const source = endless()
      live.add(source)
      source.once('close', () => live.delete(source))
      return response.stream(source)
    })
  })
  const clients = await Promise.all(Array.from({ length: 100 }, () => RawClient.connect(port)))
  await Promise.all(
    clients.map(async (client, at) => {
      await client.send(`GET / HTTP/1.1\r\n${host}\r\n`).until('aaaa')
      client[leavings[at % 2] ?? 'reset']()
    }),
  )
  await waitFor('the end of all', () => handled.length === 100 && live.size === 0)
  assert.deepEqual(reported, [])
})

for (const leaving of leavings) {
  test(`a stream whose client disconnects by ${leaving} before its first byte is released`, async (t) => {
    const sources: Readable[] = []
    const { port, handled, reported } = await serve(t, (server) => {
      server.router.get('/', (_request, response) => {
        const silent = new Readable({ read() {} })
        sources.push(silent)
        return response.stream(silent)
      })
    })
    const client = (await RawClient.connect(port)).send(`GET / HTTP/1.1\r\n${host}\r\n`)
    await waitFor('the handler', () => sources.length === 1)
    client[leaving]()
    await waitFor('the end of the request', () => handled.length > 0)
    assert.equal(sources[0]?.destroyed, true)
    assert.deepEqual([handled.length, reported], [1, []])
    await assertHealthy(port)
  })
}

test('a stream that fails before its first byte is a 500, one that fails later is cut off', async (t) => {
  const { port, reported } = await serve(t, (server) => {
    server.router.get('/early', (_request, response) =>
      response.stream(
        new Readable({
          read() {
            setImmediate(() => this.destroy(new Error('no source')))
          },
        }),
      ),
    )
    server.router.get('/late', (_request, response) => {
      const chunks = ['a'.repeat(10)]
      return response.stream(
        new Readable({
          read() {
            const chunk = chunks.pop()
            if (chunk === undefined) setTimeout(() => this.destroy(new Error('ran dry')), 20)
            else this.push(chunk)
          },
        }),
      )
    })
  })
  const early = await exchange(port, `GET /early HTTP/1.1\r\n${host}Connection: close\r\n\r\n`)
  assert.match(early, /^HTTP\/1\.1 500 /)
  assert.match(early, /<h1>500<\/h1>/)
  const late = await exchange(port, `GET /late HTTP/1.1\r\n${host}\r\n`)
  assert.match(late, /^HTTP\/1\.1 200 /)
  assert.doesNotMatch(late, /\r\n0\r\n\r\n$/)
  await waitFor('both reports', () => reported.length >= 2)
  assert.deepEqual(
    reported.map(({ message }) => message),
    ['no source', 'ran dry'],
  )
  await assertHealthy(port)
})
