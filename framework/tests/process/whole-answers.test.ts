import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { RawClient } from '../support/raw-client.ts'
import { serve } from '../support/serve.ts'

test('a large response reaches a slow client completely, followed by the next one', async (t) => {
  const large = 'x'.repeat(8 * 1024 * 1024)
  const { port } = await serve(t, (server) => {
    server.router.get('/large', () => large).get('/small', () => 'the end')
  })
  const client = await RawClient.connect(port)
  client.socket.pause()
  client.send('GET /large HTTP/1.1\r\nHost: x\r\n\r\nGET /small HTTP/1.1\r\nHost: x\r\n\r\n')
  for (let turns = 0; turns < 100; turns += 1) await turn()
  client.socket.resume()
  const received = await client.until('the end')
  const [, body = ''] = received.split('\r\n\r\n')
  assert.ok(body.startsWith(large))
  assert.equal(received.match(/HTTP\/1\.1 200 OK/g)?.length, 2)
})

test('the length of a response counts bytes, not characters', async (t) => {
  const { port } = await serve(t, (server) => {
    server.router.get('/', () => 'grüße 🙂').get('/next', () => 'next')
  })
  const client = await RawClient.connect(port)
  client.send('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n')
  const received = await client.until('next')
  assert.match(received, /Content-Length: 12\r\n/)
  assert.equal(
    Buffer.from(received, 'latin1').includes(Buffer.from('grüße 🙂HTTP/1.1 200 OK')),
    true,
  )
})

test('responses keep the order of their requests, whichever is ready first', async (t) => {
  const { port, handled } = await serve(t, (server) => {
    server.router.get('/now/:n', ({ params }) => `now ${params.n}`)
    server.router.get('/later/:n', async ({ params }) => {
      await turn()
      return `later ${params.n}`
    })
  })
  const client = await RawClient.connect(port)
  const paths = ['/now/1', '/later/2', '/now/3', '/now/4', '/later/5', '/now/6']
  client.send(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  const received = await client.until('now 6')
  assert.deepEqual(received.match(/(?:now|later) \d/g), [
    'now 1',
    'later 2',
    'now 3',
    'now 4',
    'later 5',
    'now 6',
  ])
  assert.equal(handled.length, 6)
})
