import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { Forms } from '../../src/http/middlewares/forms.ts'
import type { Request } from '../../src/http/request/request.ts'
import type { Handler } from '../../src/http/router/route.ts'
import { encode, file, uploadsOf } from '../support/multipart-form.ts'
import { rawAnswer } from '../support/raw-answer.ts'
import { RawClient } from '../support/raw-client.ts'
import { serve } from '../support/serve.ts'
import { startServer } from '../support/start-server.ts'
import { waitFor } from '../support/wait-for.ts'

test('the files of a form that completes after the response are removed too', async (t) => {
  const paths: string[] = []
  const { port } = await serve(t, (server) => {
    const answerEarly: Handler = async (request) => {
      void request.form().then(({ files }) => paths.push(...files.map(({ path }) => path)))
      await waitFor('the form to be read', () => request.stream.readableFlowing === true)
      return 'answered early'
    }
    server.router.post('/', answerEarly, { uploads: {} })
  })
  const body = `--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n${'x'.repeat(1000)}\r\n--b--\r\n`
  const client = await RawClient.connect(port)
  client.send(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 500)}`,
  )
  await client.until('answered early')
  client.send(body.slice(500))
  await waitFor(
    'the upload folder to disappear',
    () => paths.length === 1 && !existsSync(dirname(paths[0] ?? '')),
  )
})

test('reading a body after its client disconnected is an error, not an endless wait', async (t) => {
  let outcome: Promise<unknown> = Promise.resolve('not asked')
  let arrived: (request: Request) => void = () => {}
  const arrival = new Promise<Request>((resolve) => {
    arrived = resolve
  })
  const { port } = await serve(t, (server) => {
    server.router.post('/', async (request) => {
      arrived(request)
      await once(request.signal, 'abort')
      outcome = request.json().catch((error: unknown) => error)
      return outcome
    })
  })
  const client = await RawClient.connect(port)
  client.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"a"')
  const request = await arrival
  client.socket.destroy()
  await once(request.signal, 'abort')
  await new Promise(setImmediate)
  const error = await outcome
  assert.ok(error instanceof Error)
  assert.match(error.message, /incomplete/)
})

const head = (method: string, target: string, length: number): string =>
  `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n` +
  'Content-Type: multipart/form-data; boundary=B\r\n\r\n'

test('a body that nobody asked for is answered at once, and the connection ends without reading it', async (t) => {
  const { port, handled } = await serve(t, (server) => {
    server.use(new Forms())
    server.router.get('/', (_request, response) => response.text('page'))
    server.router.post('/fields', (_request, response) => response.text('never'))
  })
  const start = encode(file('f', 'a', 'x'.repeat(1000))).subarray(0, 500)
  for (const [method, target, status] of [
    ['GET', '/', 200],
    ['POST', '/nowhere', 404],
    ['POST', '/', 405],
    ['POST', '/fields', 415],
  ] as const) {
    const client = await RawClient.connect(port)
    // Far more is announced than ever comes: an answer that waited for it would never arrive.
    client.send(head(method, target, 1_000_000)).send(start)
    const answer = rawAnswer(await client.ended())
    assert.equal(answer.status, status, target)
    assert.equal(answer.header('connection'), 'close', target)
  }
  assert.equal(handled.length, 4)
})

test('the workers of a fleet share one upload budget, and the files of a killed one are removed', async (t) => {
  const uploads = await uploadsOf(t)
  const gate = join(uploads, 'gate')
  const script = join(import.meta.dirname, '../support/fleet-server.ts')
  const server = { workers: 2, uploadBudget: 1_000_000 }
  const { port, lines } = await startServer(t, script, { server, gate })
  const body = encode(file('f', 'a', Buffer.alloc(300_000)))
  const upload = async (): Promise<RawClient> => {
    const client = await RawClient.connect(port)
    return client.send(head('POST', '/upload', body.length)).send(body)
  }
  const storing = (): number[] =>
    lines.flatMap(({ stored }) => (typeof stored === 'number' ? [stored] : []))
  const folders = (): string[] => readdirSync(uploads).filter((name) => name.includes('upload'))

  const clients: RawClient[] = []
  for (const count of [1, 2, 3]) {
    clients.push(await upload())
    await waitFor(`upload ${count} to be stored`, () => storing().length === count)
  }
  assert.equal(folders().length, 3)
  for (let at = 0; at < 2; at += 1) {
    const client = await upload()
    // Only its response: the test above waits for the end of a connection whose body nobody read.
    const refused = await client.until('\r\n\r\n')
    client.leave()
    assert.match(refused, /^HTTP\/1\.1 503 [^]*\r\nretry-after: 10\r\n/i)
  }
  const [victim = 0] = storing()
  process.kill(victim, 'SIGKILL')
  const left = storing().filter((pid) => pid !== victim).length
  await waitFor('the files of the killed worker to disappear', () => folders().length === left)
  clients.push(await upload())
  await waitFor('an upload in their place', () => storing().length === 4)
  await writeFile(gate, '')
  const pids = storing()
  const alive = clients.filter((_, at) => pids[at] !== victim)
  assert.equal(alive.length, left + 1)
  await Promise.all(alive.map((client) => client.until('300000')))
  await waitFor('all files to disappear', () => folders().length === 0)
})
