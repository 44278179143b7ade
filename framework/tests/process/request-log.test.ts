import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { CurrentWork } from '../../src/activity/current-work.ts'
import { Emitter } from '../../src/events/emitter.ts'
import { Logs } from '../../src/logs/logs.ts'
import { RequestLog } from '../../src/http/observability/request-log.ts'
import { Server } from '../../src/http/server/server.ts'
import { waitFor } from '../support/wait-for.ts'

const written: string[] = []
const logs = new Logs({
  sinks: [
    {
      dropped: 0,
      write: (line) => void written.push(line),
      flush: () => Promise.resolve(),
      flushSync: () => {},
      close: () => Promise.resolve(),
    },
  ],
})
const emitter = new Emitter()
const log = new RequestLog({ logs, mode: 'all', peer: 'full', paths: false, emitter })
const server = new Server({ environment: 'test', emitter }).configure({ port: 0 })
const reached = Promise.withResolvers<void>()
server.router.get('/slow', async ({ signal }) => {
  reached.resolve()
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  return 'too late'
})
server.router.get('/stream', (_request, response) =>
  response.stream(Readable.from(['x'.repeat(1_000), 'y'.repeat(1_000)])),
)
server.router.get('/scope', async ({ id }) => {
  await new Promise(setImmediate)
  return `own scope: ${CurrentWork.context().activity?.id === id}`
})
server.router.get('/text', () => 'größe €')
server.router.get('/bytes', (_request, response) => response.send(Buffer.alloc(300)))
server.router.get('/nothing', (_request, response) => response.status(204))
server.router.post('/upload', async (request) => (await request.bytes()).length)

let port = 0
before(async () => {
  port = (await server.listen({ signals: false })).port
})
after(async () => {
  await server.close()
  log.close()
})

async function lineOf(route: string): Promise<Readonly<Record<string, unknown>>> {
  const found = (): string | undefined => written.find((line) => line.includes(`"${route}"`))
  await waitFor(`the line of ${route}`, () => found() !== undefined)
  return JSON.parse(found() ?? '').context
}

test('a client that went away before its response is told', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await reached.promise
  socket.destroy()
  const context = await lineOf('/slow')
  assert.equal(context['gone'], true)
  assert.equal(context['peer'], '127.0.0.1')
})

test('the bytes of a streamed response are those on the wire, on a reused connection too', async () => {
  for (const path of ['/stream', '/stream']) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    assert.equal((await answer.text()).length, 2_000)
  }
  const context = await lineOf('/stream')
  const lines = (): string[] => written.filter((line) => line.includes('"/stream"'))
  await waitFor('the second line', () => lines().length === 2)
  for (const line of lines()) {
    const { bytesOut } = JSON.parse(line).context
    assert.ok(bytesOut > 2_000 && bytesOut < 2_500, `bytesOut: ${bytesOut}`)
  }
  assert.equal('gone' in context, false)
})

for (const { path, bytes, method = 'GET' } of [
  { path: '/text', bytes: 11 },
  { path: '/text', method: 'HEAD', bytes: 11 },
  { path: '/bytes', bytes: 300 },
  { path: '/nothing', bytes: 0 },
]) {
  test(`the bytes of a whole response are those of its body: ${method} ${path}`, async () => {
    written.length = 0
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method })
    await answer.arrayBuffer()
    const context = await lineOf(path)
    assert.equal(context['bytesOut'], bytes)
    assert.equal(Number(answer.headers.get('content-length') ?? 0), bytes)
  })
}

test('the bytes of an uploaded body are its declared length, null without one', async () => {
  const url = `http://127.0.0.1:${port}/upload`
  await fetch(url, { method: 'POST', body: 'x'.repeat(300) })
  assert.equal((await lineOf('/upload'))['bytesIn'], 300)
  written.length = 0
  const body = Readable.toWeb(Readable.from([Buffer.from('abc')]))
  await fetch(url, { method: 'POST', body, duplex: 'half' })
  assert.equal((await lineOf('/upload'))['bytesIn'], null)
})

test('requests that follow each other on a connection have a scope each', async () => {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk: Buffer) => void (text += chunk.toString()))
  const request = 'GET /scope HTTP/1.1\r\nHost: localhost\r\n\r\n'
  socket.write(request + request)
  await waitFor('two responses', () => text.split('own scope').length === 3)
  socket.write(request)
  await waitFor('the third response', () => text.split('own scope').length === 4)
  socket.destroy()
  assert.equal(text.split('own scope: true').length, 4)
})
